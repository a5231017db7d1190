/** What a receiver of webhooks hears of collections: signed, in order, with the whole object. Spec: Events. */
import { describe, expect, it } from 'vitest';
import { startApp, type TestAccount } from '../support/app.ts';
import { bankTransfer, type CollectionWish, collect } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker, registeredReceiver } from '../support/deliveries.ts';

const { db } = await freshDatabase();
const app = await startApp({ db, flags: { payinsAskUntil: '10m' } });
const worker = realWorker(app.ctx);
const HOUR_MS = 3_600_000;
const EVENTS = [
  ...['created', 'paid_in', 'paid_out', 'canceled', 'mispaid'].map((name) => `transaction.${name}`),
  ...['incomplete', 'pending', 'processing', 'paid_in', 'canceled', 'mispaid', 'error'].map(
    (name) => `payin_method.${name}`,
  ),
];

async function hear(account: TestAccount, wish: CollectionWish, byMs: number) {
  const { receiver } = await registeredReceiver(account, EVENTS);
  const created = await collect(account, wish);
  await app.engine.run();
  await deliverDue(worker);
  await app.engine.travel(byMs);
  await deliverDue(worker);
  expect(receiver.received.every(({ isSigned }) => isSigned)).toBe(true);
  const heard = receiver.received.map(({ body: { event, object } }) => ({ event, object: Object(object) }));
  return { created, heard };
}

describe('a receiver hears', () => {
  it.each<[string, CollectionWish, number, string[], string[]]>([
    ['of a payer who pays', {}, 1_000, ['created', 'paid_in', 'paid_out'], ['pending', 'paid_in']],
    ['of a payer who does not', { asks: 'Pending' }, HOUR_MS, ['created', 'canceled'], ['pending', 'canceled']],
    ['of a code that is awaited', { asks: 'Otp' }, 0, ['created'], ['incomplete']],
    ['of an error', { asks: '412' }, 0, ['created'], ['error']],
    [
      'of a payment that is being confirmed',
      { asks: 'Processing' },
      60_000,
      ['created', 'paid_in', 'paid_out'],
      ['pending', 'processing', 'paid_in'],
    ],
    [
      'of another amount',
      bankTransfer({ asks: 'Less' }),
      0,
      ['created', 'mispaid', 'paid_out'],
      ['pending', 'mispaid'],
    ],
  ])('%s', async (_, wish, byMs, ofTransaction, ofPayin) => {
    const account = await app.newAccount();
    const { created, heard } = await hear(account, wish, byMs);
    const names = (prefix: string) =>
      heard.flatMap(({ event }) => (event.startsWith(prefix) ? [event.slice(prefix.length)] : []));
    expect(names('transaction.')).toEqual(ofTransaction);
    expect(names('payin_method.')).toEqual(ofPayin);
    for (const { event, object } of heard.filter((each) => each.event.startsWith('payin_method.'))) {
      expect([object.id, object.transaction_id]).toEqual([created.payin.id, created.id]);
      expect([object.external_id, object.transaction_external_id]).toEqual([created.external_id, created.external_id]);
      // Each event shows the payin method as it was at that step, also where several came in one commit.
      const state = { paid_in: 'success' }[event.slice('payin_method.'.length)] ?? event.slice('payin_method.'.length);
      expect(object.state).toBe(state);
    }
    const last = heard.findLast(({ event }) => event.startsWith('transaction.'));
    expect(last?.object.payin_methods).toMatchObject([{ id: created.payin.id }]);
    expect(last?.object.recipients[0].payout_method.fields).toHaveProperty('reference');
  });
});
