/** A payin provider that gives no answer to questions holds a part of the calls: everybody else is served meanwhile. */
import { expect, it } from 'vitest';
import { type Collection, MINUTE_MS, openPayerWorld } from './payer-world.ts';

/** A quarter of them for questions to one provider. */
const CALLS = 8;
const SHARE = 2;
const { app, payer, collection } = await openPayerWorld({ payoutsCallsInFlight: String(CALLS) });
const { engine, clock } = app;

const asked = () => payer.calls.filter((call) => call.startsWith('status')).length;

it('questions to it that have no room wait for their next time, and are asked then', async () => {
  const open: Collection[] = [];
  for (let made = 0; made < CALLS; made += 1) open.push(await collection([{ does: 'wait', status: 'hangs' }]));
  await engine.work.idle();
  clock.advance(MINUTE_MS);
  const before = asked();
  for (let turn = 0; turn < 3; turn += 1) await engine.work.turn();
  expect([asked() - before, engine.work.room]).toEqual([SHARE, CALLS - SHARE]);
  for (const { created, prompt } of open) {
    payer.script(created.payin.id, { does: 'wait' });
    payer.later(prompt().order.reference, { does: 'pay' });
  }
  await engine.work.idle();
  await engine.travel(10 * MINUTE_MS);
  for (const one of open) expect(await one.states()).toBe('paid: success');
});
