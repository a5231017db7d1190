/** Whoever is asked about accounts and gives no answer holds a part of the calls: everybody else is paid meanwhile. */
import { expect, it } from 'vitest';
import type { CheckAnswer } from '../../server/src/account-checks/account-check.ts';
import { untilAborted } from '../../server/src/providers/sandbox/wait.ts';
import { HOUR_MS, openWorld, type Payout } from '../payouts/world.ts';
import { held, type Reaction, ScriptedCheck, UNAVAILABLE } from './scripted-check.ts';

/** A quarter of them for accounts, while nobody answers. */
const CALLS = 8;
const SHARE = 2;
const OBI_HOLDS: CheckAnswer = { kind: 'name', accountName: 'EXAMPLE OBI' };
const hangs: Reaction = async (_, signal) => {
  await untilAborted(signal);
  return UNAVAILABLE;
};

const check = new ScriptedCheck();
const { app, payout } = await openWorld({
  accountCheck: check,
  flags: { payoutsCallsInFlight: String(CALLS), validationCache: '0s', validationCallTimeout: '3s' },
});
const { engine, ctx } = app;

/** Each of an account of its own: the same question at the same time is asked once. */
async function checked(count: number): Promise<Payout[]> {
  const all: Payout[] = [];
  for (let made = 0; made < count; made += 1) all.push(await payout({ traits: { account_validation: true } }));
  return all;
}

it('payouts without a check go on, and the others are paid once there are answers again', async () => {
  check.play(hangs);
  const silent = await checked(ctx.settings.providers.pauseAfter);
  await engine.work.turn();
  await engine.work.idle();
  const waiting = await checked(CALLS);
  const free = await payout();
  const late = held(OBI_HOLDS);
  check.play(late.reaction);
  for (let turn = 0; turn < 3; turn += 1) await engine.work.turn();
  await expect.poll(() => free.states()).toBe('paid: success');
  expect([check.asked.length, engine.work.room]).toEqual([SHARE, CALLS - SHARE]);
  expect((await Promise.all(waiting.map((one) => one.recipient()))).map(({ state }) => state)).toEqual(
    Array(CALLS).fill('initial'),
  );
  late.release();
  await engine.work.idle();
  await engine.travel(HOUR_MS);
  for (const one of [...silent, ...waiting])
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 1]);
});

it('one that answers is asked about as many accounts as there is room for', async () => {
  check.play(OBI_HOLDS);
  await checked(CALLS);
  await engine.work.turn();
  expect(check.asked).toHaveLength(CALLS);
  await engine.run();
});
