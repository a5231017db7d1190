/** Events of real flows: made by calls and by the payout engine, received over HTTP, verified and parsed. */
import { expect, it } from 'vitest';
import { verify } from '../../server/src/receiver/webhooks.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker } from '../support/deliveries.ts';
import { fundPayout, read } from '../support/payouts.ts';
import { newToldCustomer } from '../support/told.ts';
import { create } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const worker = realWorker(app.ctx);

const newCustomer = () => newToldCustomer(app, { balances: { USD: 1_000_000n } });

it('a payout that succeeds is told from creation to payment, with what a read shows', async () => {
  const account = await newCustomer();
  const { receiver, url, key, secret } = account;
  const { id } = await fundPayout(account, 'Paid');
  await app.engine.run();
  const shown = await account.caller.get(`/v1/transactions/${id}`);
  await deliverDue(worker);
  const ofTransaction = receiver.received.filter(({ body }) => body.object['id'] === id);
  expect(ofTransaction.map(({ body }) => body.event)).toEqual([
    'transaction.created',
    'transaction.paid_in',
    'transaction.paid_out',
  ]);
  expect(ofTransaction.at(-1)?.body.object).toEqual(Object(shown.body).object);
  for (const { raw, headers } of receiver.received) expect(verify(url, raw, headers, key, secret)).toBe(true);
});

it('a recipient that fails is told with its external ids, the reason and the fields that can be edited', async () => {
  const account = await newCustomer();
  const { receiver } = account;
  const { id, external_id: externalId } = await fundPayout(account, '416');
  await app.engine.run();
  const { recipient } = await read(account, { id });
  await deliverDue(worker);
  const [told] = receiver.received.filter(({ body }) => body.event === 'recipient.error');
  expect(told?.body.object).toMatchObject({
    id: recipient.id,
    transaction_id: id,
    external_id: externalId,
    transaction_external_id: externalId,
    state: 'error',
    state_reason: recipient['state_reason'],
    payout_method: { fields: recipient.payout_method.fields },
  });
  expect(Object.keys(recipient.payout_method.fields).length).toBeGreaterThan(0);
});

it('a payout that is canceled after funding is told as refunded', async () => {
  const account = await newCustomer();
  const { receiver, caller } = account;
  const { id } = await fundPayout(account, '416');
  await app.engine.run();
  const { recipient } = await read(account, { id });
  expect((await caller.delete(`/v1/recipients/${recipient.id}`)).status).toBe(200);
  await app.engine.run();
  await deliverDue(worker);
  const events = receiver.received.filter(({ body }) => body.object['id'] === id).map(({ body }) => body.event);
  expect(events.at(-1)).toBe('transaction.refunded');
});

it('a payout that is canceled before it is funded is told as canceled', async () => {
  const account = await newCustomer();
  const { receiver, caller } = account;
  const { id, recipients } = await create(caller);
  expect((await caller.delete(`/v1/recipients/${recipients[0]?.id}`)).status).toBe(200);
  await deliverDue(worker);
  const events = receiver.received.filter(({ body }) => body.object['id'] === id).map(({ body }) => body.event);
  expect(events).toEqual(['transaction.created', 'transaction.canceled']);
});
