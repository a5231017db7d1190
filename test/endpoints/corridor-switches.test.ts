/**
 * What callers meet when a corridor is off, closed to their account, or bounded. Open points OP-77, OP-126 to OP-128.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { SwitchName } from '../../server/src/corridors/switch.ts';
import { switchOff, switchOn } from '../../server/src/corridors/switches.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { create } from '../support/transactions.ts';

const { db } = await freshDatabase();
const flags = {
  corridorsMinimumAmounts: 'NGN::Bank=1525.40',
  corridorsMaximumAmounts: 'NGN::Bank=1525400',
};
const app = await startApp({ db, flags });
const { caller } = await app.newAccount({ balances: { USD: 1_000_000n } });
const NIGERIA: SwitchName = { direction: 'payout', type: 'NGN::Bank', provider: undefined };

async function set(name: SwitchName, active: boolean): Promise<void> {
  const off = { ...name, since: app.clock.now(), by: 'ada' };
  await db.inTx((tx) => (active ? switchOn(tx, name) : switchOff(tx, off)));
  app.ctx.wake.wake('corridors');
  await expect.poll(() => app.ctx.switches.isProviderActive(name.type, name.provider ?? 'any')).toBe(active);
}

afterEach(() => set(NIGERIA, true));

describe('a corridor that is switched off', () => {
  it.each(['/v1/transactions', '/v1/transactions/create_and_fund', '/v1/transactions/calculate'])(
    'is refused by %s at its type and for the object as a whole',
    async (path) => {
      await set(NIGERIA, false);
      const refused = await caller.post(path, bodyOfPayout());
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({
        object: {
          errors: { base: [{ error: 'corridor_not_active' }] },
          recipients: [{ payout_method: { errors: { type: [{ error: 'corridor_not_active' }] } } }],
        },
        errors: {
          base: [{ error: 'corridor_not_active' }],
          'recipients.0.payout_method.type': [{ error: 'corridor_not_active' }],
        },
        meta: { error: 'the corridor is not active: nothing of this type is taken at the moment' },
      });
      await set(NIGERIA, true);
      expect((await caller.post(path, bodyOfPayout())).status).toBeLessThan(300);
    },
  );

  it('takes no money for a transaction that was created before, until it is on again', async () => {
    const { id } = await create(caller);
    const debit = { to_id: id, to_type: 'Transaction' };
    await set(NIGERIA, false);
    const refused = await caller.post('/v1/accounts/debits', { debit });
    expect(refused).toMatchObject({
      status: 422,
      body: { object: [{ errors: { base: [{ error: 'corridor_not_active' }] } }] },
    });
    await set(NIGERIA, true);
    expect((await caller.post('/v1/accounts/debits', { debit })).status).toBe(200);
  });

  it('is still taken while only one of its providers is off', async () => {
    const provider = { ...NIGERIA, provider: 'sandbox' };
    await set(provider, false);
    expect((await caller.post('/v1/transactions/calculate', bodyOfPayout())).status).toBe(200);
    await set(provider, true);
  });
});

describe('an account that may use some corridors', () => {
  it('is refused at the type of another one', async () => {
    const held = await app.newAccount({ terms: { corridors: ['GHS::Bank'] } });
    const refused = await held.caller.post('/v1/transactions', bodyOfPayout());
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { 'recipients.0.payout_method.type': [{ error: 'corridor_not_permitted' }] } },
    });
    expect(refused.body).not.toHaveProperty('meta');
    const open = await app.newAccount({ terms: { corridors: ['GHS::Bank', 'NGN::Bank'] } });
    expect((await open.caller.post('/v1/transactions', bodyOfPayout())).status).toBe(201);
  });
});

describe('a corridor with a least and a largest amount', () => {
  it.each([
    ['0.99', 'below_minimum', 'less than the least amount of the corridor, 1525.40 NGN'],
    ['1', undefined, undefined],
    ['1000', undefined, undefined],
    ['1000.01', 'above_maximum', 'more than the largest amount of the corridor, 1525400.00 NGN'],
  ])('answers a payout of %s USD with %s, and tells the bound', async (amount, error, says) => {
    const answer = await caller.post('/v1/transactions/calculate', bodyOfPayout({ amount }));
    expect(answer.status).toBe(error === undefined ? 200 : 422);
    if (error !== undefined) {
      const field = 'recipients.0.requested_amount';
      expect(answer.body).toMatchObject({
        errors: { [field]: [{ error }] },
        meta: { error: `${field}: the recipient would receive ${says}` },
      });
    }
  });
});
