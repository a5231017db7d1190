/** A collection that broke, as operators meet it: among what needs people, ended by an order, decided once. */
import { describe, expect, it } from 'vitest';
import { auditEntries } from '../operator/support.ts';
import { bankTransfer } from '../support/collections.ts';
import { expectSoundLedger } from '../support/rows.ts';
import type { Collected } from './row-world.ts';
import { openRowWorld } from './row-world.ts';

const { arrange, call, db } = await openRowWorld();
const KOBO = 5n;
const WHY = { reason: 'the rate was mended' };

async function broken(): Promise<Collected> {
  const one = await arrange({ wish: bankTransfer({ balance: 'USD', amount: 100 }), parts: [{ does: 'wait' }] });
  await one.thenBroken({ does: 'pay', minor: KOBO });
  return one;
}

const resolve = (id: string) => call('POST', `/operator/collections/${id}/resolve`, WHY);

async function attention({ customer }: Collected, query = ''): Promise<unknown[]> {
  const { body } = await call('GET', `/operator/attention?account_id=${customer.accountId}${query}`);
  return Object(body).items;
}

describe('a collection that broke', () => {
  it('is among what needs people, and so is the money whose answer could not be recorded', async () => {
    const one = await broken();
    const [whole, ...others] = await attention(one, '&state=exception');
    expect(whole).toMatchObject({
      state: 'exception',
      transaction_id: one.created.id,
      recipient_id: null,
      reason: 'The answer of the provider could not be recorded.',
    });
    expect(others).toEqual([]);
    const states = (await attention(one)).map((item) => Object(item).state);
    expect(states.sort()).toEqual(['exception', 'suspense']);
  });

  it('is ended by one order, which the audit log keeps, and by no second one', async () => {
    const one = await broken();
    const { id } = one.created;
    expect(await resolve(id)).toMatchObject({ status: 200, body: { collection: { payin_state: 'canceled' } } });
    expect(await attention(one, '&state=exception')).toEqual([]);
    expect(await resolve(id)).toMatchObject({ status: 422, body: { error: 'not_broken' } });
    expect(await auditEntries({ call }, `&subject=${id}`)).toMatchObject([
      { action: 'payin.resolve', before: { payin_state: 'exception' }, after: { payin_state: 'canceled', ...WHY } },
    ]);
    const { body } = await call('GET', `/operator/transactions/${id}`);
    expect(body).toMatchObject({
      endings: [{ state: 'canceled', by: 'operator', operator: 'ada', action: 'payin.resolve' }],
    });
    await expectSoundLedger(db, one.customer.accountId);
  });

  it('is ended by one of two operators who come at once', async () => {
    const one = await broken();
    const answers = await Promise.all([resolve(one.created.id), resolve(one.created.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  it('is the only thing that the order is for', async () => {
    const open = await arrange({});
    expect(await resolve(open.created.id)).toMatchObject({ status: 422, body: { error: 'not_broken' } });
    const nobody = '01900000-0000-7000-8000-000000000000';
    expect(await resolve(nobody)).toMatchObject({ status: 404, body: { error: 'transaction_not_found' } });
  });
});
