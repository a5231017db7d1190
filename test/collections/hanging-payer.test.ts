/** A payin provider that gives no answer holds a part of the calls: everybody else is served meanwhile. */
import { expect, it } from 'vitest';
import { present } from '../../server/src/kernel/assert.ts';
import { type CollectionView, collect, readCollection } from '../support/collections.ts';
import { type Collection, HOUR_MS, MINUTE_MS, openPayerWorld } from './payer-world.ts';

/** A quarter of them for questions to one provider, and for prompts to one that answers none. */
const CALLS = 8;
const SHARE = 2;
const { app, payer, collection } = await openPayerWorld({ payoutsCallsInFlight: String(CALLS) });
const { engine, clock } = app;

const called = (name: string) => payer.calls.filter((call) => call.startsWith(name)).length;
const asked = () => called('status');
/** As many calls without an answer as it takes to be taken for silent. */
const { pauseAfter: SILENT_AFTER } = app.ctx.settings.providers;

const account = await app.newAccount();

async function collections(count: number): Promise<CollectionView[]> {
  const all: CollectionView[] = [];
  for (let made = 0; made < count; made += 1) all.push(await collect(account));
  return all;
}

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

it('prompts hold a share of the calls at a provider that answers none, until it answers one', async () => {
  payer.standard({ does: 'wait', prompt: 'hangs' });
  const silent = await collections(SILENT_AFTER);
  await engine.run();
  const more = await collections(CALLS);
  const before = called('prompt');
  for (let turn = 0; turn < 3; turn += 1) await engine.work.turn();
  expect([called('prompt') - before, engine.work.room]).toEqual([SHARE, CALLS - SHARE]);
  await engine.work.idle();
  payer.standard({ does: 'pay' });
  await engine.travel(10 * MINUTE_MS);
  const last = await collections(CALLS);
  const then = called('prompt');
  await engine.work.turn();
  await engine.work.idle();
  expect([called('prompt') - then, engine.work.room]).toEqual([CALLS, CALLS]);
  const prompted = [...silent, ...more, ...last].map(({ payin }) => payer.promptsOf(payin.id).length);
  expect(prompted).toEqual(Array(SILENT_AFTER + 2 * CALLS).fill(1));
});

it('prompts that it does not take back hold a share of the calls, and are taken back when it answers again', async () => {
  payer.standard({ does: 'wait' });
  const open = await collections(SILENT_AFTER + CALLS);
  await engine.run();
  payer.standard({ does: 'wait', status: 'hangs', keeps: true });
  clock.advance(HOUR_MS);
  await engine.work.turn();
  await engine.work.idle();
  clock.advance(HOUR_MS);
  const before = called('cancel');
  for (let turn = 0; turn < 3; turn += 1) await engine.work.turn();
  expect([called('cancel') - before, engine.work.room]).toEqual([SHARE, CALLS - SHARE]);
  payer.standard({ does: 'wait' });
  await engine.work.idle();
  await engine.travel(HOUR_MS);
  for (const one of open) {
    expect((await readCollection(account, one)).payin.state).toBe('canceled');
    expect(present(payer.promptsOf(one.payin.id)[0], 'its prompt').isCanceled).toBe(true);
  }
});
