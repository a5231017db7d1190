/**
 * Orders of operators in two and three database sessions, step by step: against one another, callers, the provider and
 * workers. A seed that fails is in the message; run it again with SESSION_SEED=<seed> SESSION_SCHEDULES=1. See
 * docs/proof.md.
 */
import { describe, expect, it } from 'vitest';
import { wrongAtAnyTime, wrongInTheEnd, wrongPayouts } from './invariants.ts';
import { wrongOrders } from './order-invariants.ts';
import { ORDER_MEETINGS } from './order-meetings.ts';
import { type OrderScene, openOrders } from './order-scene.ts';
import { drawOrderStep, type OrderStep, settleAll, takeOrderStep } from './order-steps.ts';
import { LIMIT_MS, openStage, type Plot, SEEDS } from './play.ts';
import { drawPrograms, meetingOf } from './programs.ts';

const { play } = await openStage();

const ORDERS: Plot<OrderScene, OrderStep> = {
  open: async (base, chance, seed) => {
    const meeting = meetingOf(ORDER_MEETINGS, seed, chance);
    const programs = drawPrograms(meeting, chance, () => drawOrderStep(chance, meeting.stages.length));
    return { programs, scene: await openOrders(base, chance, meeting) };
  },
  take: takeOrderStep,
  settle: async (scene) => settleAll(scene),
  wrongAtAnyTime: async (db, scene) => [...(await wrongAtAnyTime(db, scene)), ...(await wrongOrders(db, scene))],
  wrongInTheEnd: async (db, scene) => [
    ...(await wrongInTheEnd(db, scene)),
    ...(await wrongOrders(db, scene)),
    ...(await wrongPayouts(db, scene)),
  ],
};

describe('whatever the order in which sessions come to their turn', () => {
  it.each(SEEDS)(
    'each order is carried out once, and locks are right (seed %i)',
    { timeout: LIMIT_MS },
    async (seed) => {
      const { wrong, trace } = await play(ORDERS, seed);
      expect(wrong, `seed ${seed}\n${trace.join('\n')}`).toEqual([]);
    },
  );
});
