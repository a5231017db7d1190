/** `balance open|credit|debit|show` through the operator listener: money comes in and goes out once, or not at all. */
import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import {
  addOperator,
  at,
  auditEntries,
  type CallOptions,
  createPlainAccount,
  startOperatorService,
} from './support.ts';

describe('balances', async () => {
  const service = await startOperatorService({ flags: { sandboxOpeningBalance: '0' } });
  const { call, db } = service;
  const post = (id: string, what: 'balances' | 'credits' | 'debits', body: unknown, commandId?: string) =>
    call('POST', `/operator/accounts/${id}/${what}`, body, commandId === undefined ? {} : { commandId });
  const countOf = async (table: 'ledger_transfers' | 'ledger_balances', id: string) =>
    (await db.query(`select 1 from ${table} where account_id = $1::uuid`, [id])).length;

  it('a credit comes from the treasury and is told with the balance before and after', async () => {
    const id = await createPlainAccount(service);
    await post(id, 'credits', { currency: 'USD', amount: '100' });
    const answer = await post(id, 'credits', { currency: 'USD', amount: 20.5 });
    expect(answer).toMatchObject({
      status: 201,
      body: { account_id: id, currency: 'USD', amount: '20.50', balance: '120.50' },
    });
    const shown = await call('GET', `/operator/accounts/${id}/balances`);
    expect(at(shown.body, 'balances')).toEqual([
      {
        currency: 'USD',
        balance: '120.50',
        held: '0.00',
        exchange: '0.00',
        payout_settlement: '0.00',
        payin_settlement: '0.00',
        treasury: '-120.50',
        suspense: '0.00',
      },
    ]);
    const [entry] = await auditEntries(service, `&subject=${id}`);
    expect(entry).toMatchObject({
      operator: 'ada',
      action: 'balance.credit',
      before: { currency: 'USD', balance: '100.00' },
      after: { currency: 'USD', balance: '120.50', amount: '20.50' },
    });
  });

  it('a debit goes back to the treasury', async () => {
    const id = await createPlainAccount(service);
    await post(id, 'credits', { currency: 'NGN', amount: '1000.25' });
    const answer = await post(id, 'debits', { currency: 'NGN', amount: '0.25' });
    expect(answer).toMatchObject({ status: 201, body: { amount: '0.25', balance: '1000.00' } });
    expect((await auditEntries(service, `&subject=${id}`))[0]).toMatchObject({ action: 'balance.debit' });
  });

  it('an overdraft is refused and leaves neither a row of the ledger nor of the audit log', async () => {
    const id = await createPlainAccount(service);
    const answer = await post(id, 'debits', { currency: 'EUR', amount: '0.01' });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'insufficient_balance', details: ['the balance holds 0.00 EUR'] },
    });
    expect(await countOf('ledger_transfers', id)).toBe(0);
    expect(await countOf('ledger_balances', id)).toBe(0);
    expect(await auditEntries(service, `&subject=${id}&action=balance.debit`)).toEqual([]);
  });

  it('a credit that is repeated under the same command id is posted once, and the answer says when', async () => {
    const id = await createPlainAccount(service);
    const commandId = '01999999-0000-7000-8000-000000000101';
    const body = { currency: 'USD', amount: '10' };
    const first = await post(id, 'credits', body, commandId);
    await post(id, 'credits', { currency: 'USD', amount: '5' });
    const repeats = await Promise.all([1, 2, 3].map(() => post(id, 'credits', body, commandId.toUpperCase())));
    expect(first.body).not.toHaveProperty('already_posted_at');
    const again = { ...Object(first.body), already_posted_at: expect.any(String) };
    for (const repeat of repeats) expect(repeat).toMatchObject({ status: 201, body: again });
    expect(await countOf('ledger_transfers', id)).toBe(2);
  });

  it('the same command id sent many times at once posts once', async () => {
    const id = await createPlainAccount(service);
    const commandId = '01999999-0000-7000-8000-000000000102';
    const body = { currency: 'USD', amount: '10' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(id, 'credits', body, commandId)));
    expect(new Set(answers.map(({ status, body: said }) => `${status} ${at(said, 'balance')}`)).size).toBe(1);
    expect(answers.filter(({ body: said }) => at(said, 'already_posted_at') === undefined)).toHaveLength(1);
    expect(await countOf('ledger_transfers', id)).toBe(1);
  });

  it.each([
    ['another amount', { currency: 'USD', amount: '11' }, 'credits'],
    ['another currency', { currency: 'EUR', amount: '10' }, 'credits'],
    ['another action', { currency: 'USD', amount: '10' }, 'debits'],
  ] as const)('a command id that was used is refused for %s', async (_what, body, path) => {
    const id = await createPlainAccount(service);
    const commandId = service.ctx.ids.next();
    await post(id, 'credits', { currency: 'USD', amount: '10' }, commandId);
    const answer = await post(id, path, body, commandId);
    expect(answer).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
    expect(await countOf('ledger_transfers', id)).toBe(1);
  });

  it('many debits at once take exactly what is there', async () => {
    const id = await createPlainAccount(service);
    await post(id, 'credits', { currency: 'GHS', amount: '10' });
    const debit = { currency: 'GHS', amount: '3' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(id, 'debits', debit)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
    const shown = await call('GET', `/operator/accounts/${id}/balances`);
    expect(at(shown.body, 'balances', 0, 'balance')).toBe('1.00');
  });

  it('a balance that is kept through a partner is one of its own', async () => {
    const id = await createPlainAccount(service);
    await post(id, 'credits', { currency: 'USD', amount: '1' });
    await post(id, 'balances', { currency: 'USD::Partner' });
    const answer = await post(id, 'credits', { currency: 'USD::Partner', amount: '2' });
    expect(answer.body).toMatchObject({ currency: 'USD::Partner', balance: '2.00' });
  });

  it('a balance that is opened is there with nothing in it, and the audit log tells who opened it', async () => {
    const id = await createPlainAccount(service);
    const commandId = service.ctx.ids.next();
    const opened = { status: 201, body: { account_id: id, currency: 'ZAR::Partner' } };
    expect(await post(id, 'balances', { currency: 'ZAR::Partner' }, commandId)).toMatchObject(opened);
    expect(await post(id, 'balances', { currency: 'ZAR::Partner' }, commandId)).toMatchObject(opened);
    const shown = await call('GET', `/operator/accounts/${id}/balances`);
    expect(at(shown.body, 'balances')).toMatchObject([{ currency: 'ZAR::Partner', balance: '0.00' }]);
    expect((await auditEntries(service, `&subject=${id}&action=balance.open`)).length).toBe(1);
    expect((await auditEntries(service, `&subject=${id}`))[0]).toMatchObject({
      operator: 'ada',
      action: 'balance.open',
      before: null,
      after: { currency: 'ZAR::Partner' },
    });
  });

  it('a balance that is opened in a plain currency lets the account be paid out in it without exchange', async () => {
    const id = await createPlainAccount(service);
    const currencies = ['USD', 'EUR', 'GBP', 'NGN'];
    await Promise.all(currencies.map((currency) => post(id, 'balances', { currency })));
    const account = await call('GET', `/operator/accounts/${id}`);
    expect(at(account.body, 'account', 'same_currency')).toEqual(currencies.toSorted());
    expect(at(account.body, 'balances')).toHaveLength(currencies.length);
  });

  it.each([
    ['a second time', { currency: 'USD::Partner' }, 'already_open'],
    ['in a plain currency a second time', { currency: 'GHS' }, 'already_open'],
    ['in a currency that nobody knows', { currency: 'ABC::Partner' }, 'currency_unknown'],
    ['with a partner without a name', { currency: 'USD::' }, 'currency_unknown'],
    ['with two partners', { currency: 'USD::A::B' }, 'currency_unknown'],
    ['without a currency', {}, 'invalid'],
  ])('a balance cannot be opened %s', async (_what, body, error) => {
    const id = await createPlainAccount(service);
    await post(id, 'balances', { currency: 'USD::Partner' });
    await post(id, 'balances', { currency: 'GHS' });
    expect(await post(id, 'balances', body)).toMatchObject({ status: 422, body: { error } });
    expect(await countOf('ledger_balances', id)).toBe(2);
  });

  it.each(['credits', 'debits'] as const)('%s under the name of a partner need that balance open', async (what) => {
    const id = await createPlainAccount(service);
    const answer = await post(id, what, { currency: 'USD::Partnr', amount: '1' });
    expect(answer).toMatchObject({ status: 422, body: { error: 'balance_not_open' } });
    expect(await countOf('ledger_balances', id)).toBe(0);
  });

  it.each([
    ['a currency that nobody knows', { currency: 'ABC', amount: '1' }, 'currency_unknown'],
    ['a currency in lower case', { currency: 'usd', amount: '1' }, 'currency_unknown'],
    ['a partner without a name', { currency: 'USD::', amount: '1' }, 'currency_unknown'],
    ['zero', { currency: 'USD', amount: '0' }, 'amount_invalid'],
    ['less than the minor unit', { currency: 'USD', amount: '0.001' }, 'amount_invalid'],
    ['digits below the minor unit', { currency: 'USD', amount: '12.345' }, 'amount_invalid'],
    ['a part of a franc', { currency: 'XOF', amount: 10000.9 }, 'amount_invalid'],
    ['a negative amount', { currency: 'USD', amount: '-5' }, 'amount_invalid'],
    ['a word', { currency: 'USD', amount: 'ten' }, 'amount_invalid'],
    ['nothing', { currency: 'USD', amount: '' }, 'amount_invalid'],
    ['more digits than a JSON number keeps', { currency: 'USD', amount: 0.1234567890123456 }, 'amount_invalid'],
    ['10^15 minor units', { currency: 'USD', amount: '10000000000000' }, 'amount_invalid'],
    ['an amount that is a list', { currency: 'USD', amount: ['1'] }, 'invalid'],
    ['no amount', { currency: 'USD' }, 'invalid'],
    ['a field that does not exist', { currency: 'USD', amount: '1', note: 'x' }, 'invalid'],
  ])('a credit of %s is refused', async (_what, body, error) => {
    const id = await createPlainAccount(service);
    expect(await post(id, 'credits', body)).toMatchObject({ status: 422, body: { error } });
    expect(await countOf('ledger_transfers', id)).toBe(0);
  });

  it.each(['credits', 'debits'] as const)('%s are taken to the last digit or not at all', async (what) => {
    const id = await createPlainAccount(service);
    await post(id, 'credits', { currency: 'USD', amount: '100' });
    expect(await post(id, what, { currency: 'USD', amount: '12.345' })).toMatchObject({
      status: 422,
      body: { error: 'amount_invalid', details: ['amount: too_many_decimals'] },
    });
    expect(await countOf('ledger_transfers', id)).toBe(1);
    expect((await post(id, what, { currency: 'USD', amount: '12.340' })).body).toMatchObject({ amount: '12.34' });
  });

  it('a balance stays below 10^15 minor units', async () => {
    const id = await createPlainAccount(service);
    const most = { currency: 'USD', amount: '9999999999999.99' };
    expect((await post(id, 'credits', most)).status).toBe(201);
    const answer = await post(id, 'credits', { currency: 'USD', amount: '0.01' });
    expect(answer).toMatchObject({ status: 422, body: { error: 'balance_too_large' } });
    expect((await post(id, 'debits', most)).body).toMatchObject({ balance: '0.00' });
  });

  it('nothing is credited to an account that does not exist', async () => {
    const answer = await post('01999999-0000-7000-8000-000000000000', 'credits', { currency: 'USD', amount: '1' });
    expect(answer).toMatchObject({ status: 404, body: { error: 'account_not_found' } });
  });

  it('after all of that the books are right', async () => {
    expect((await verifyLedger(db)).differences).toEqual([]);
  });
});

describe('the reference of a payment', async () => {
  const service = await startOperatorService({ mode: 'live' });
  const { call, ctx } = service;
  const post = (id: string, what: 'credits' | 'debits', body: object, options: CallOptions = {}) =>
    call('POST', `/operator/accounts/${id}/${what}`, { currency: 'USD', amount: '1000', ...body }, options);

  it('is needed in live mode, and kept in the audit log', async () => {
    const id = await createPlainAccount(service);
    expect(await post(id, 'credits', {})).toMatchObject({ status: 422, body: { error: 'reference_needed' } });
    expect((await post(id, 'credits', { reference: 'WIRE 1' })).status).toBe(201);
    expect(await auditEntries(service, `&subject=${id}&action=balance.credit`)).toMatchObject([
      { after: { amount: '1000.00', balance: '1000.00', reference: 'WIRE 1' } },
    ]);
  });

  it('lets one wire be credited once, however often and by however many at once it is said', async () => {
    const id = await createPlainAccount(service);
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(id, 'credits', { reference: 'WIRE 1' })));
    expect(answers.map(({ status, body }) => [status, at(body, 'balance')])).toEqual(
      answers.map(() => [201, '1000.00']),
    );
    expect(await post(id, 'credits', { reference: 'WIRE 1', amount: '999' })).toMatchObject({
      status: 422,
      body: { error: 'reference_taken', details: ['WIRE 1: ada has posted 1000.00 USD under it'] },
    });
    const token = await addOperator(ctx, 'grace');
    expect((await post(id, 'credits', { reference: 'WIRE 1' }, { token })).body).toMatchObject({
      error: 'reference_taken',
    });
    expect((await verifyLedger(service.db)).differences).toEqual([]);
  });

  it('is of one direction, currency and account', async () => {
    const [id, other] = [await createPlainAccount(service), await createPlainAccount(service)];
    const reference = 'WIRE 2';
    expect((await post(id, 'credits', { reference })).body).toMatchObject({ balance: '1000.00' });
    expect((await post(id, 'debits', { reference, amount: '400' })).body).toMatchObject({ balance: '600.00' });
    expect((await post(id, 'credits', { reference, currency: 'EUR' })).body).toMatchObject({ balance: '1000.00' });
    expect((await post(other, 'credits', { reference })).body).toMatchObject({ balance: '1000.00' });
  });
});
