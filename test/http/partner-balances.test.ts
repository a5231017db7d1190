/**
 * Money that lies with a partner: opened and credited by an operator, shown to the account. Spec: endpoints 10 and 11.
 */
import { describe, expect, it } from 'vitest';
import { creditBalance } from '../../server/src/operator/balances.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import { openBalance } from '../../server/src/operator/open-balance.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { createAndFund, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const operator = operatorContext(app.ctx);
const command = () => ({ commandId: app.ctx.ids.next(), operator: 'ada' });

describe('a balance through a partner', async () => {
  const { accountId, caller } = await app.newAccount({ balances: { USD: 1_000n } });
  const currency = 'USD::Partner';

  it('is unknown until an operator opens it', async () => {
    expect((await caller.get(`/v1/accounts/${currency}`)).status).toBe(404);
  });

  it('is shown from then on, at zero, and with what was credited', async () => {
    await openBalance(operator, command(), { accountId, currency });
    const opened = { amount: 0, currency, amount_after_pending: 0 };
    expect((await caller.get(`/v1/accounts/${currency}`)).body).toMatchObject({ object: [opened] });
    await creditBalance(operator, command(), { accountId, currency, amount: '75.50' });
    expect((await caller.get('/v1/accounts')).body).toMatchObject({
      object: [
        { amount: 10, currency: 'USD' },
        { amount: 75.5, currency, amount_after_pending: 75.5 },
      ],
    });
  });

  it('funds no transaction, neither under its own name nor in place of the plain currency', async () => {
    const named = await caller.post('/v1/transactions', bodyOfPayout({ inputCurrency: currency }));
    expect(wordsIn(named)).toContain('input_currency: currency_unknown');
    const tooMuch = await createAndFund(caller, { amount: 50 });
    expect(wordsIn(tooMuch)).toContain('base: insufficient_balance');
    expect((await caller.get(`/v1/accounts/${currency}`)).body).toMatchObject({ object: [{ amount: 75.5 }] });
  });
});

describe('payouts without exchange', () => {
  it('are refused until an operator opens a balance in that currency', async () => {
    const { accountId, caller } = await app.newAccount({ balances: { NGN: 10_000_000n } });
    const wish = { inputCurrency: 'NGN', requestedCurrency: 'NGN', amount: 5_000 };
    expect(wordsIn(await createAndFund(caller, wish))).toEqual(['recipients.0.payout_method.type: same_currency']);
    await openBalance(operator, command(), { accountId, currency: 'NGN' });
    expect((await createAndFund(caller, wish)).status).toBe(201);
  });
});
