/**
 * API, engine, operators, checks of senders and deliveries for the test of every event: ways to it, and reads of
 * objects.
 */
import { expect } from 'vitest';
import { checkDueSenders } from '../../server/src/reviews/check-senders.ts';
import { scriptedScreening } from '../kyc/scripted-screening.ts';
import { startPayoutService } from '../operator/payout-service.ts';
import { type CollectionView, type CollectionWish, collect } from '../support/collections.ts';
import { realWorker } from '../support/deliveries.ts';
import { ADA, type PayoutWish } from '../support/payout.ts';
import { fundPayout, named } from '../support/payouts.ts';
import { PERSON } from '../support/senders.ts';
import type { ToldCustomer } from '../support/told.ts';
import { create, debit } from '../support/transactions.ts';

/** Everything that can have metadata gets these. */
export const META = { order: 'ü-7', 'a b': [1, { c: null }] };
/** Cash in XOF wants to know who sends. */
export const SENDER = { ...ADA, metadata: META, identification_type: 'ID', identification_number: 'AB123456' };

/** An object as a read shows it, and what its transaction is called by the caller. */
export interface Seen {
  readonly id: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly externalId?: unknown;
}

type Named = { readonly id: string };

export function wishFor(payoutMethod: object): PayoutWish {
  const recipient = { payout_method: payoutMethod, metadata: META };
  return { sender: SENDER, recipient, over: { metadata: META } };
}

async function get({ caller }: ToldCustomer, path: string): Promise<Seen['object']> {
  const answer = await caller.get(path);
  expect(answer.status, answer.text).toBe(200);
  return Object(answer.body).object;
}

const reads = {
  transaction: async (customer: ToldCustomer, { id }: Named): Promise<Seen> => ({
    id,
    object: await get(customer, `/v1/transactions/${id}`),
  }),
  recipient: async (customer: ToldCustomer, { id }: Named): Promise<Seen> => {
    const parent = Object(await get(customer, `/v1/transactions/${id}`));
    return { id: parent.recipients[0].id, object: parent.recipients[0], externalId: parent.external_id };
  },
  payin: async (customer: ToldCustomer, { payin: { id }, external_id }: CollectionView): Promise<Seen> => ({
    id,
    object: await get(customer, `/v1/payin_methods/${id}`),
    externalId: external_id,
  }),
};

export async function openEventWorld() {
  const { app, db, call } = await startPayoutService({ flags: { payinsAskUntil: '10m' } });
  const { engine } = app;
  const screening = scriptedScreening();

  async function order(path: string, body: object): Promise<void> {
    const { status, body: answer } = await call('POST', `/operator/${path}`, body);
    expect(status, JSON.stringify(answer)).toBe(200);
  }

  return {
    app,
    db,
    engine,
    worker: realWorker(app.ctx),
    order,
    ...reads,
    /** A funded payout to somebody whom the sandbox treats by that name, brought as far as it goes by itself. */
    pay: async (customer: ToldCustomer, lastName: string) => {
      const funded = await fundPayout(customer, lastName, wishFor(named(lastName)));
      await engine.run();
      return funded;
    },
    fundAndRun: async ({ caller }: ToldCustomer, payoutMethod: object) => {
      const created = await create(caller, wishFor(payoutMethod));
      expect((await debit(caller, created.id)).status).toBe(200);
      await engine.run();
      return created;
    },
    collected: async (customer: ToldCustomer, wish: CollectionWish, travelMs = 0) => {
      const created = await collect(customer, { ...wish, over: { metadata: META, sender: SENDER } });
      await engine.travel(travelMs);
      return created;
    },
    /** A sender on whom an operator decides after it was checked. */
    decided: async (customer: ToldCustomer, what: 'approve' | 'reject' | 'ban'): Promise<Seen> => {
      const made = await customer.caller.post('/v1/senders', { sender: { ...PERSON, metadata: META } });
      const { id } = Object(made.body).object;
      while ((await checkDueSenders(app.ctx, screening)).count > 0);
      await order(`senders/${id}/${what}`, { reason: 'looked at the papers' });
      return { id, object: await get(customer, `/v1/senders/${id}`) };
    },
  };
}
