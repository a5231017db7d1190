/**
 * The file of a payout type was taken away while there were payouts of it: what is known of them is still told, and
 * ends.
 */
import { describe, expect, it } from 'vitest';
import { debit } from '../support/transactions.ts';
import { pays, takes } from './turns.ts';
import { DAY_MS, HOUR_MS, openWorld, type Payout } from './world.ts';

const { app, payout } = await openWorld();
const { engine, db } = app;

async function takeTypeAway(one: Payout): Promise<void> {
  await db.execute("update recipients set payout_type = 'GONE::Bank' where recipient_id = $1::uuid", [
    one.recipientId(),
  ]);
}

describe('a payout whose type has gone from the catalogue', () => {
  it('is shown and listed without a descriptor', async () => {
    const one = await payout({ scripts: [{ submit: [pays] }] });
    await engine.run();
    await takeTypeAway(one);
    const shown = { state: 'success', payout_method: { type: 'GONE::Bank', fields: {} } };
    expect(await one.recipient()).toMatchObject(shown);
    const { caller } = one.account;
    const transactions = await caller.get('/v1/transactions');
    expect([transactions.status, transactions.body]).toMatchObject([200, { object: [{ recipients: [shown] }] }]);
    const recipients = await caller.get('/v1/recipients');
    expect([recipients.status, recipients.body]).toMatchObject([200, { object: [shown] }]);
  });

  it('is not funded any more', async () => {
    const one = await payout({ isFunded: false });
    await takeTypeAway(one);
    const answer = await debit(one.account.caller, one.id);
    expect([answer.status, answer.body]).toMatchObject([422, { meta: { error: expect.stringContaining('corridor') } }]);
    expect([await one.states(), await one.spent()]).toEqual(['approved: initial', 0n]);
  });

  it('is refunded when its caller cancels, who is told', async () => {
    const one = await payout();
    await takeTypeAway(one);
    expect((await one.cancel()).status).toBe(200);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
    expect(await one.events()).toContain('transaction.refunded');
  });

  it('is not edited: nothing could be checked', async () => {
    const one = await payout();
    await takeTypeAway(one);
    const answer = await one.edit({ last_name: 'Okafor' });
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { object: { errors: { base: [{ error: 'corridor_not_active' }] } } },
    ]);
    expect((await one.cancel()).status).toBe(200);
  });

  it('is refunded by itself after a day', async () => {
    const one = await payout();
    await takeTypeAway(one);
    await engine.travel(DAY_MS + HOUR_MS);
    expect([await one.states(), await one.spent()]).toEqual(['refunded: refunded', 0n]);
  });

  it('keeps the other recipients of its transaction waiting only until it is canceled', async () => {
    const one = await payout({ scripts: [{}, { submit: [pays] }] });
    await takeTypeAway(one);
    expect((await one.cancel()).status).toBe(200);
    await engine.run();
    expect(await one.states()).toBe('refunded: refunded success');
  });

  it('is paid when its provider says so', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    await takeTypeAway(one);
    await one.callback({ kind: 'paid' });
    expect(await one.states()).toBe('paid: success');
  });
});
