/**
 * Every event of the table, made by calls, operators and time, and received by a real receiver: signed for it, about
 * the object as a read showed it at that moment. An event without a way here fails, and so does one that is not in the
 * table.
 */
import { describe, expect, it } from 'vitest';
import { EVENT_NAMES, EVENTS, FURTHER_EVENTS, type FurtherEventRow } from '../../server/src/webhooks/events.ts';
import { CASH } from '../payouts/world.ts';
import { bankTransfer, collect } from '../support/collections.ts';
import { deliverDue } from '../support/deliveries.ts';
import { named } from '../support/payouts.ts';
import { newToldCustomer, type ToldCustomer, toldAbout } from '../support/told.ts';
import { create, debit } from '../support/transactions.ts';
import { META, openEventWorld, SENDER, type Seen, wishFor } from './event-world.ts';

const world = await openEventWorld();
const { app, db, engine, worker, transaction, recipient, payin, pay, collected, order, decided } = world;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Row {
  /** The row of the table: its event, and the open point where it is none of the specification. */
  readonly row: string;
  readonly by: string;
  readonly state: string;
  readonly go: (customer: ToldCustomer) => Promise<Seen>;
}

const ROWS: readonly Row[] = [
  {
    row: 'transaction.paid_out',
    by: 'a payout that is paid',
    state: 'paid',
    go: async (customer) => transaction(customer, await pay(customer, 'Paid')),
  },
  {
    row: 'transaction.paid_out',
    by: 'a collection that is in the balance',
    state: 'paid',
    go: async (customer) => transaction(customer, await collected(customer, { asks: 'Paid' })),
  },
  {
    row: 'transaction.refunded',
    by: 'a cancellation after funding',
    state: 'refunded',
    go: async (customer) => {
      const funded = await pay(customer, '416');
      expect((await customer.caller.delete(`/v1/recipients/${funded.recipient.id}`)).status).toBe(200);
      return transaction(customer, funded);
    },
  },
  {
    row: 'transaction.refunded',
    by: 'a day without success',
    state: 'refunded',
    go: async (customer) => {
      const funded = await pay(customer, '511');
      await engine.travel(DAY_MS);
      return transaction(customer, funded);
    },
  },
  {
    row: 'transaction.canceled',
    by: 'a payer who does not pay within the hour',
    state: 'canceled',
    go: async (customer) => transaction(customer, await collected(customer, { asks: 'Pending' }, HOUR_MS)),
  },
  {
    row: 'transaction.paid_in',
    by: 'a payer who pays',
    state: 'received',
    go: async (customer) => {
      const created = await collected(customer, { asks: 'Pending' });
      await customer.caller.post(`/v1/transactions/${created.id}/payin`, {});
      return transaction(customer, created);
    },
  },
  {
    row: 'transaction.mispaid',
    by: 'a payer who pays another amount',
    state: 'mispaid',
    go: async (customer) => {
      const created = await collected(customer, bankTransfer({ asks: 'Pending' }));
      await customer.caller.post(`/v1/transactions/${created.id}/payin`, { amount: 4_000 });
      return transaction(customer, created);
    },
  },
  {
    row: 'recipient.error',
    by: 'a provider that refuses the account',
    state: 'error',
    go: async (customer) => recipient(customer, await pay(customer, '416')),
  },
  {
    row: 'payin_method.error',
    by: 'a wrong phone number',
    state: 'error',
    go: async (customer) => payin(customer, await collected(customer, { asks: '412' })),
  },
  { row: 'sender.approved', by: 'an operator', state: 'approved', go: (customer) => decided(customer, 'approve') },
  { row: 'sender.rejected', by: 'an operator', state: 'rejected', go: (customer) => decided(customer, 'reject') },
  {
    row: 'transaction.created OP-71',
    by: 'a caller',
    state: 'approved',
    go: async (customer) => transaction(customer, await create(customer.caller, wishFor(named('Paid')))),
  },
  {
    row: 'transaction.paid_in OP-34',
    by: 'a debit',
    state: 'received',
    go: async (customer) => {
      const created = await create(customer.caller, wishFor(named('Paid')));
      expect((await debit(customer.caller, created.id)).status).toBe(200);
      return transaction(customer, created);
    },
  },
  {
    row: 'transaction.canceled OP-35',
    by: 'a cancellation before funding',
    state: 'canceled',
    go: async (customer) => {
      const created = await create(customer.caller, wishFor(named('Paid')));
      expect((await customer.caller.delete(`/v1/recipients/${created.recipients[0]?.id}`)).status).toBe(200);
      return transaction(customer, created);
    },
  },
  {
    row: 'recipient.pending OP-71',
    by: 'cash that is ready',
    state: 'pending',
    go: async (customer) => {
      const seen = await recipient(customer, await world.fundAndRun(customer, CASH));
      expect(seen.object['metadata']).toEqual({ ...META, payment_reference: expect.stringMatching(/^\d{10}$/) });
      return seen;
    },
  },
  {
    row: 'payin_method.incomplete OP-71',
    by: 'a payer who has to give a one-time code',
    state: 'incomplete',
    go: async (customer) => payin(customer, await collected(customer, { asks: 'Otp' })),
  },
  {
    row: 'payin_method.pending OP-71',
    by: 'a payer who was prompted',
    state: 'pending',
    go: async (customer) => payin(customer, await collected(customer, { asks: 'Pending' })),
  },
  {
    row: 'payin_method.processing OP-71',
    by: 'a payment that is being confirmed',
    state: 'processing',
    go: async (customer) => payin(customer, await collected(customer, { asks: 'Processing' })),
  },
  {
    row: 'payin_method.paid_in OP-71',
    by: 'a payer who pays',
    state: 'success',
    go: async (customer) => payin(customer, await collected(customer, { asks: 'Paid' })),
  },
  {
    row: 'payin_method.refunded OP-71',
    by: 'an operator who gave back what was collected',
    state: 'refunded',
    go: async (customer) => {
      const created = await collected(customer, { asks: 'Paid' });
      await order(`collections/${created.id}/refund`, { reason: 'the payer called', evidence: 'statement, line 3' });
      return payin(customer, created);
    },
  },
  {
    row: 'payin_method.canceled OP-71',
    by: 'a caller who takes the prompt back',
    state: 'canceled',
    go: async (customer) => {
      const created = await collected(customer, { asks: 'Pending' });
      expect((await customer.caller.delete(`/v1/payin_methods/${created.payin.id}`)).status).toBe(200);
      await engine.run();
      return payin(customer, created);
    },
  },
  {
    row: 'payin_method.mispaid OP-71',
    by: 'a payer who pays half',
    state: 'mispaid',
    go: async (customer) => payin(customer, await collected(customer, bankTransfer({ asks: 'Less' }))),
  },
  {
    row: 'payin_method.exception OP-71',
    by: 'an answer that cannot be recorded',
    state: 'exception',
    go: async (customer) => {
      const wish = bankTransfer({ asks: 'Less', balance: 'USD', amount: 100 });
      const created = await collect(customer, { ...wish, over: { metadata: META, sender: SENDER } });
      await db.execute(`update recipients set rate = 'broken' where transaction_id = $1`, [created.id]);
      await engine.run();
      await db.execute(`update recipients set rate = '1/1500' where transaction_id = $1`, [created.id]);
      return payin(customer, created);
    },
  },
  { row: 'sender.rejected OP-103', by: 'a ban', state: 'banned', go: (customer) => decided(customer, 'ban') },
];

const heard = new Set<string>();

/** Payin methods repeat their flow among the details. Published: open point OP-18. */
function asTold(read: Seen['object']): object {
  if (read['in_details'] === undefined) return read;
  return { ...read, in_details: { ...Object(read['in_details']), ux_flow: read['ux_flow'] } };
}

describe('a receiver is told', () => {
  it.each(ROWS.map((each) => [`${each.row} by ${each.by}`, each] as const))('%s', async (_, { row, state, go }) => {
    const customer = await newToldCustomer(app, { terms: { kyc: termsFor(row) }, balances: { USD: 1_000_000n } });
    const seen = await go(customer);
    await deliverDue(worker);
    const told = toldAbout(customer, seen.id);
    const last = told.at(-1);
    const { webhookId } = customer;
    expect(last?.event).toBe(row.split(' ')[0]);
    // Byte for byte: what a read showed at that moment, within the envelope.
    const object = asTold(seen.object);
    expect(last?.raw).toBe(JSON.stringify({ webhook: webhookId, event: last?.event, object }));
    expect(seen.object['state']).toBe(state);
    if (last?.event.startsWith('payin_method.')) expect(last.object).not.toHaveProperty('metadata');
    else expect(last?.object['metadata']).toMatchObject(META);
    if (seen.externalId !== undefined) {
      const { external_id, transaction_external_id } = Object(last?.object);
      expect([external_id, transaction_external_id]).toEqual([seen.externalId, seen.externalId]);
      expect(seen.externalId).toMatch(/./);
    }
    for (const { body } of customer.receiver.received) heard.add(body.event);
  });
});

/** Senders are decided on where the account's are reviewed; everywhere else theirs are approved at once. */
function termsFor(row: string): 'review' | 'waived' {
  return row.startsWith('sender.') ? 'review' : 'waived';
}

describe('the table of events', () => {
  it('has a way above for each of its rows, and no other', () => {
    const rows: readonly Pick<FurtherEventRow, 'event' | 'openPoint'>[] = FURTHER_EVENTS;
    const names = [...EVENTS.map(({ event }) => event), ...rows.map(({ event, openPoint }) => `${event} ${openPoint}`)];
    expect([...new Set(ROWS.map(({ row }) => row))].toSorted()).toEqual(names.toSorted());
  });

  it('offers for registration what was heard above, and nothing that nobody sends', async () => {
    const { caller } = await app.newAccount();
    const { object } = Object((await caller.get('/v1/webhooks/events')).body);
    expect([...heard].toSorted()).toEqual([...object].toSorted());
    expect(object).toEqual(EVENT_NAMES);
  });

  it('has every event that was stored', async () => {
    const stored = await db.query<{ event: string }>('select distinct event from events order by event');
    expect(stored.map(({ event }) => event)).toEqual(EVENT_NAMES.toSorted());
  });
});
