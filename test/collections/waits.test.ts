/** What collections wait for that come to nothing by themselves, as operators are told it. */
import { expect, it } from 'vitest';
import { at } from '../operator/support.ts';
import { type Arranged, startCollectionService } from './operator-world.ts';

const service = await startCollectionService();
const { app, call, collected, waiting } = service;

/** By both ways to it, which say the same. */
async function waitOf({ created }: Arranged) {
  const { body: transaction } = await call('GET', `/operator/transactions/${created.id}`);
  const wait = at(transaction, 'recipients', 0, 'waits_for');
  const id = String(at(transaction, 'recipients', 0, 'id'));
  const { body: recipient } = await call('GET', `/operator/recipients/${id}`);
  expect(at(recipient, 'recipient', 'waits_for')).toEqual(wait);
  return Object(wait);
}

it('a collection whose payment is in suspense waits for people, and for its caller once they have decided', async () => {
  const one = await collected({ asks: 'Less' });
  expect(await waitOf(one)).toMatchObject({
    what: 'people',
    at: one.created.expires_at,
    says: expect.stringContaining('payferry payin suspense'),
  });
  const returned = { reason: 'half of it', evidence: 'case 7' };
  const payin = await waiting(one.account);
  expect(await call('POST', `/operator/payins/${payin}/return`, returned)).toMatchObject({ status: 200 });
  expect(await waitOf(one)).toMatchObject({ what: 'caller' });
});

it('a collection whose prompt failed for good waits for its caller, and for its payer once it is tried again', async () => {
  const one = await collected({ asks: '412' });
  expect(await waitOf(one)).toMatchObject({
    what: 'caller',
    at: one.created.expires_at,
    says: expect.stringContaining('its caller has to edit or retry the payin method'),
  });
  const retry = await one.account.caller.post(`/v1/payin_methods/${one.created.payin.id}/retry`);
  expect(retry.status).toBe(200);
  expect(await waitOf(one)).toMatchObject({ what: 'payer' });
});

it('a collection whose prompt failed for a while waits for its payer', async () => {
  const one = await collected({ asks: '31' });
  expect(await waitOf(one)).toMatchObject({ what: 'payer', at: one.created.expires_at });
  expect(app.clock.now().toISOString() < String(one.created.expires_at)).toBe(true);
});
