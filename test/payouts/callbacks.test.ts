/** Providers that call by themselves: twice, late, out of order, and against what they said before. */
import { describe, expect, it } from 'vitest';
import type { PayoutAnswer } from '../../server/src/providers/payout-provider.ts';
import { ledgerOf } from '../support/rows.ts';
import { fails, pays, SILENCE, takes, tells, withoutAnswer } from './turns.ts';
import { HOUR_MS, MINUTE_MS, openWorld, SECOND_MS } from './world.ts';

const { app, first, payout } = await openWorld();
const { engine } = app;
const PAID: PayoutAnswer = { kind: 'paid' };

describe('a provider calls by itself, and', () => {
  it('says the same thing many times: it happens once', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    for (let times = 0; times < 3; times += 1) await one.callback(PAID);
    expect(await one.states()).toBe('paid: success');
    expect(await one.events()).toEqual(['transaction.created', 'transaction.paid_in', 'transaction.paid_out']);
    expect(await one.spent()).toBe(10_000n);
    await one.expectSoundBooks();
  });

  it('says the same failure many times: one error is told, and one attempt follows', async () => {
    const one = await payout({ scripts: [{ submit: [takes(), pays] }] });
    await engine.run();
    for (let times = 0; times < 3; times += 1) await one.callback({ kind: 'failed', code: '3' });
    expect(await one.recipientEvents()).toEqual(['recipient.error']);
    await engine.travel(10 * MINUTE_MS);
    expect([await one.states(), one.paid().length, one.orders().length]).toEqual(['paid: success', 1, 2]);
  });

  it('says pending after it said paid: paid stands', async () => {
    const one = await payout();
    await engine.run();
    await one.callback({ kind: 'pending', code: '14' });
    await one.callback(SILENCE);
    expect(await one.states()).toBe('paid: success');
    expect((await one.recipient()).state_reason_details?.code).toBe('0');
  });

  it('says pending after it said failed: the failure stands, and its time does not move', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), pays] }] });
    await engine.run();
    await one.callback({ kind: 'pending' });
    await one.callback(SILENCE);
    expect(await one.states()).toBe('received: error');
    await engine.travel(6 * MINUTE_MS);
    expect([await one.states(), one.paid().length]).toEqual(['paid: success', 1]);
  });

  it('says that it failed after it said that it was paid: people have to decide, and no money moves', async () => {
    const one = await payout();
    await engine.run();
    await one.callback({ kind: 'failed', code: '543' });
    expect(await one.states()).toBe('paid: exception');
    expect(await one.spent()).toBe(10_000n);
    await one.expectSoundBooks();
  });

  it('says that an order is paid which it had failed: the retry does not happen', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), pays] }] });
    await engine.run();
    await one.callback(PAID);
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 1]);
    await one.expectSoundBooks();
  });

  it('says that the first order is paid while the second is under way: the second is asked about, not sent again', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), withoutAnswer(takes())], status: [tells] }] });
    await engine.run();
    await engine.travel(6 * MINUTE_MS);
    expect(await one.states()).toBe('received: pending');
    const [first1] = one.orders();
    await one.callback(PAID, { reference: first1?.reference ?? '' });
    expect(await one.states()).toBe('paid: success');
    await engine.travel(30 * SECOND_MS);
    for (const order of one.orders()) first.book.fail(order, '3');
    await engine.travel(HOUR_MS);
    expect([await one.states(), one.orders().length]).toEqual(['paid: success', 2]);
    await one.expectSoundBooks();
  });

  it('says that the first order is paid in part while the second is under way: the second is asked about', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), takes()] }] });
    await engine.run();
    await engine.travel(6 * MINUTE_MS);
    const [first1, second] = one.orders();
    await one.callback({ kind: 'paid', paidMinor: 1n }, { reference: first1?.reference ?? '' });
    expect(await one.states()).toBe('exception: exception');
    if (second) first.book.pay(second);
    await engine.travel(HOUR_MS);
    const attempts = await one.attempts();
    expect(attempts.map(({ outcome, paidAmount }) => [outcome, paidAmount])).toEqual([
      ['paid', 1n],
      ['paid', second?.amount.minor],
    ]);
    // Both words are kept for the operator, whose part of the money is still held.
    expect([await one.states(), one.orders().length]).toEqual(['exception: exception', 2]);
    await one.expectSoundBooks();
  });

  it('says that it paid in another currency: it is asked about, and the log tells', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    const [{ amount } = { amount: undefined }] = one.orders();
    if (amount === undefined) throw new Error('an order was sent');
    await one.callback({ kind: 'paid', paidMinor: amount.minor, paidCurrency: 'USD' });
    expect([await one.states(), await one.recipientEvents()]).toEqual(['received: pending', []]);
    const line = app.logged.find((each) => each.includes('paid in another currency')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ recipient_id: one.recipientId(), provider: 'first' });
    await one.callback({ kind: 'paid', paidMinor: amount.minor, paidCurrency: amount.currency });
    expect(await one.states()).toBe('paid: success');
    await one.expectSoundBooks();
  });

  it('says so with a file, and pays in the right one later: the file of the first word proves nothing', async () => {
    const one = await payout({ scripts: [{ submit: [takes()] }] });
    await engine.run();
    const proof = { fileName: 'other.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7 other') };
    await one.callback({ kind: 'paid', paidCurrency: 'USD', proof });
    await one.callback({ kind: 'paid' });
    const { status, body } = await one.account.caller.get(`/v1/recipients/${one.recipientId()}/proof_of_payments`);
    expect([status, body]).toMatchObject([200, { object: [{ file_name: `receipt-${one.recipientId()}.pdf` }] }]);
  });

  it('pays both orders, of which it had failed the first: overpaid at the loss of the service', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), pays] }] });
    await engine.run();
    await engine.travel(6 * MINUTE_MS);
    const [first1] = one.orders();
    await one.callback(PAID, { reference: first1?.reference ?? '' });
    expect(await one.states()).toBe('paid: overpaid');
    expect(await one.spent()).toBe(10_000n);
    await one.expectSoundBooks();
  });

  it('pays the order that it had failed, and fails the next one: nobody is asked any more', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), takes()] }] });
    await engine.run();
    await engine.travel(6 * MINUTE_MS);
    await one.callback(PAID, { reference: one.orders()[0]?.reference ?? '' });
    await one.callback({ kind: 'failed', code: '416' });
    expect(await one.states()).toBe('paid: success');
    const due = await app.db.query('select due_at from transactions where transaction_id = $1', [one.id]);
    expect(due).toEqual([{ due_at: null }]);
    await one.expectSoundBooks();
  });

  it('pays three orders, of which it had failed two: each payment is in the books', async () => {
    const one = await payout({ scripts: [{ submit: [fails('3'), fails('3'), pays] }] });
    await engine.run();
    await engine.travel(HOUR_MS);
    const [first1, second, third] = one.orders();
    expect(await one.states()).toBe('paid: success');
    for (const late of [first1, second]) await one.callback(PAID, { reference: late?.reference ?? '' });
    expect(await one.states()).toBe('paid: overpaid');
    const { minor = 0n, currency = '' } = third?.amount ?? {};
    const { payout_settlement: paidOut } = await ledgerOf(app.db, one.account.accountId, currency);
    expect(paidOut).toBe(3n * minor);
    await one.expectSoundBooks();
  });
});
