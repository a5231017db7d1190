/** The window in which payins of other amounts add up before they are paid out. Spec: Transaction states (mispaid). */
import { describe, expect, it } from 'vitest';
import { bankTransfer, newsOf, readCollection } from '../support/collections.ts';
import { MINUTE_MS, openPayerWorld } from './payer-world.ts';
import { holdOver } from './rules.ts';

const { app, db, payer, collection } = await openPayerWorld({ payinsMispaidWindow: '30m' });
const { engine } = app;
const HALF = 500_000n;

async function halfPaid() {
  const one = await collection([{ does: 'pay', minor: HALF }], bankTransfer());
  return { ...one, more: (minor: bigint) => payer.later(one.prompt().order.reference, { does: 'pay', minor }) };
}

describe('a collection into which half of the amount was paid', () => {
  it('shows what is missing until the window is over, and then is what came in', async () => {
    const { account, created, ...one } = await halfPaid();
    const waiting = await readCollection(account, created);
    expect(waiting).toMatchObject({ state: 'mispaid', input_amount: 10_000, paid_amount: 5_000, due_amount: 5_000 });
    expect(await one.ledger('NGN')).toEqual({ held: HALF, payin_settlement: -HALF });
    await engine.travel(31 * MINUTE_MS);
    const over = await readCollection(account, created);
    expect(over).toMatchObject({ state: 'paid', input_amount: 5_000, paid_amount: 5_000, due_amount: 0 });
    expect((await newsOf(db, created)).of).toEqual(['created', 'mispaid', 'paid_out']);
  });

  it('is received when the other half comes under a prompt that was said to have failed', async () => {
    const { account, created, ...one } = await collection([{ does: 'fail', code: '412' }], bankTransfer());
    const { reference } = one.prompt().order;
    payer.later(reference, { does: 'pay', minor: HALF });
    await one.callback();
    expect(await readCollection(account, created)).toMatchObject({ state: 'mispaid', paid_amount: 5_000 });
    payer.later(reference, { does: 'pay', minor: HALF });
    await engine.travel(10 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', paid_amount: 10_000 });
  });

  it('is received when the other half comes in time', async () => {
    const { account, created, ...one } = await halfPaid();
    one.more(HALF);
    await engine.travel(10 * MINUTE_MS);
    const now = await readCollection(account, created);
    expect(now).toMatchObject({
      state: 'paid',
      input_amount: 10_000,
      paid_amount: 10_000,
      payin: { state: 'success' },
    });
    expect(await newsOf(db, created)).toEqual({
      of: ['created', 'mispaid', 'paid_in', 'paid_out'],
      payin: ['pending', 'mispaid', 'paid_in'],
    });
  });

  it('gets what is missing by a payin on demand that names no amount', async () => {
    const { account, created, ...one } = await halfPaid();
    expect((await account.caller.post(`/v1/transactions/${created.id}/payin`, {})).status).toBe(200);
    await engine.run();
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', paid_amount: 10_000 });
    expect(await one.places()).toEqual(['held 500000 expected', 'held 500000 expected']);
  });

  it('adds up what comes in time, also beyond the amount', async () => {
    const { account, created, ...one } = await halfPaid();
    one.more(HALF * 2n);
    await engine.travel(31 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', input_amount: 15_000 });
    expect(await one.places()).toEqual(['held 500000 expected', 'held 1000000 expected']);
  });

  it('ends as long after its first payment as is set, whatever comes in between', async () => {
    const { account, created, ...one } = await halfPaid();
    await engine.travel(20 * MINUTE_MS);
    one.more(HALF * 2n);
    await one.callback();
    await engine.travel(11 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', paid_amount: 15_000 });
  });

  it.each([
    ['nothing for what was asked', 700_000n, [], 'paid', 5_000],
    ['what came', 1_200_000n, [HALF * 2n], 'processing', 15_000],
  ])('is judged by rules when the window is over: they hold %s', async (_, minor, further, state, came) => {
    await holdOver(db, { minor, currency: 'NGN' });
    const { account, created, ...one } = await halfPaid();
    for (const more of further) one.more(more);
    await engine.travel(31 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state, input_amount: came, paid_amount: came });
    await db.execute('delete from hold_rules');
  });

  it('adds up although its sender may not transact meanwhile, and is held at the end of the window', async () => {
    const { account, created, ...one } = await halfPaid();
    await db.execute("update senders set state = 'initial' where account_id = $1::uuid", [account.accountId]);
    await engine.travel(3 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'mispaid' });
    one.more(HALF * 2n);
    await one.callback();
    await engine.travel(31 * MINUTE_MS);
    expect(await readCollection(account, created)).toMatchObject({ state: 'processing', paid_amount: 15_000 });
    expect(await one.places()).toEqual(['held 500000 expected', 'held 1000000 expected']);
  });

  it.each([
    ['adds what comes in its last moment', 30 * MINUTE_MS - 1, 'held 500000 expected'],
    ['does not add what comes as it ends, before anybody came by', 30 * MINUTE_MS, 'suspense 500000 surplus'],
  ])('%s', async (_, passedMs, place) => {
    const one = await halfPaid();
    app.clock.advance(passedMs);
    one.more(HALF);
    await one.callback();
    expect(await one.places()).toEqual(['held 500000 expected', place]);
    await engine.run();
  });

  it('does not add what comes afterwards', async () => {
    const { account, created, ...one } = await halfPaid();
    await engine.travel(31 * MINUTE_MS);
    one.more(HALF);
    await one.callback();
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', paid_amount: 5_000 });
    expect(await one.places()).toEqual(['held 500000 expected', 'suspense 500000 surplus']);
  });
});
