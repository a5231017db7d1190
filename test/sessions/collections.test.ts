/**
 * Collections in two and three database sessions, step by step: payers, callers, operators and time at the same
 * payments. A seed that fails is in the message; run it again with SESSION_SEED=<seed> SESSION_SCHEDULES=1. See
 * docs/proof.md.
 */
import { describe, expect, it } from 'vitest';
import { wrongCollections, wrongPayments } from './collection-invariants.ts';
import { COLLECTION_MEETINGS } from './collection-meetings.ts';
import { type CollectionScene, openCollections } from './collection-scene.ts';
import { type CollectionStep, drawCollectionStep, settlePayments, takeCollectionStep } from './collection-steps.ts';
import { wrongAtAnyTime, wrongInTheEnd } from './invariants.ts';
import { LIMIT_MS, openStage, type Plot, SEEDS } from './play.ts';
import { drawPrograms, meetingOf } from './programs.ts';

const { play } = await openStage();

const COLLECTIONS: Plot<CollectionScene, CollectionStep> = {
  open: async (base, chance, seed) => {
    const meeting = meetingOf(COLLECTION_MEETINGS, seed, chance);
    const programs = drawPrograms(meeting, chance, () => drawCollectionStep(chance));
    return { programs, scene: await openCollections(base, chance, meeting) };
  },
  take: takeCollectionStep,
  settle: settlePayments,
  // A payer may pay after a prompt has failed, and that it failed may be told after the payment.
  mayLog: ['a provider says of a paid prompt that it failed'],
  wrongAtAnyTime: async (db, scene) => [...(await wrongAtAnyTime(db, scene)), ...(await wrongCollections(db, scene))],
  wrongInTheEnd: async (db, scene) => [
    ...(await wrongInTheEnd(db, scene)),
    ...(await wrongCollections(db, scene)),
    ...(await wrongPayments(db, scene)),
  ],
};

describe('whatever the order in which sessions come to their turn', () => {
  it.each(SEEDS)('each payment counts once, and locks are right (seed %i)', { timeout: LIMIT_MS }, async (seed) => {
    const { wrong, trace } = await play(COLLECTIONS, seed);
    expect(wrong, `seed ${seed}\n${trace.join('\n')}`).toEqual([]);
  });
});
