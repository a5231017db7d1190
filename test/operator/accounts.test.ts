/** `account create|list|show|set` through the operator listener. */
import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import { at, auditEntries, startOperatorService, textAt } from './support.ts';

const MISSING = '01999999-0000-7000-8000-000000000000';

describe('in the sandbox', async () => {
  const service = await startOperatorService();
  const { call } = service;

  it('a new account can transact at once and owns a million of each of the eight currencies', async () => {
    const created = await call('POST', '/operator/accounts', { name: ' Acme ' });
    expect(created.status).toBe(201);
    expect(at(created.body, 'account')).toMatchObject({
      name: 'Acme',
      full_kyc: true,
      kyc: 'waived',
      wtr2: false,
      negative_balance: false,
      account_validation: false,
      same_currency: [],
    });
    expect(textAt(created.body, 'secret')).toMatch(/^[0-9a-f]{64}$/);
    expect(textAt(created.body, 'key', 'key')).toMatch(/^pf_[0-9a-f]{32}$/);

    const shown = await call('GET', `/operator/accounts/${textAt(created.body, 'account', 'id')}`);
    const balances = at(shown.body, 'balances');
    expect(balances).toHaveLength(8);
    expect(balances).toContainEqual(expect.objectContaining({ currency: 'USD', balance: '1000000.00', held: '0.00' }));
    expect(balances).toContainEqual(expect.objectContaining({ currency: 'XOF', balance: '1000000' }));
    expect((await verifyLedger(service.db)).differences).toEqual([]);
  });

  it('the audit log tells who created it, with its terms and its key, and without its secret', async () => {
    const created = await call('POST', '/operator/accounts', { name: 'Watched' });
    const [entry] = await auditEntries(service, `&subject=${textAt(created.body, 'account', 'id')}`);
    expect(entry).toMatchObject({ operator: 'ada', action: 'account.create', before: null });
    expect(at(entry, 'after')).toMatchObject({ name: 'Watched', key: textAt(created.body, 'key', 'key') });
    expect(at(entry, 'after', 'balances', 'GBP')).toBe('1000000.00');
    expect(JSON.stringify(entry)).not.toContain(textAt(created.body, 'secret'));
  });

  it('terms given at creation go before the defaults', async () => {
    const body = { name: 'Own', full_kyc: true, wtr2: true, kyc: 'documents', same_currency: ['USD', 'EUR', 'USD'] };
    const created = await call('POST', '/operator/accounts', body);
    expect(at(created.body, 'account')).toMatchObject({ wtr2: true, kyc: 'documents', same_currency: ['EUR', 'USD'] });
  });

  it('creating it again under the same command id gives the same account and shows no secret', async () => {
    const commandId = '01999999-0000-7000-8000-00000000aaaa';
    const first = await call('POST', '/operator/accounts', { name: 'Once' }, { commandId });
    const second = await call('POST', '/operator/accounts', { name: 'Once' }, { commandId });
    expect(second.status).toBe(201);
    expect(at(second.body, 'account')).toEqual(at(first.body, 'account'));
    expect(at(second.body, 'key')).toEqual(at(first.body, 'key'));
    expect(at(second.body, 'secret')).toBeNull();
    expect(await auditEntries(service, `&subject=${textAt(first.body, 'account', 'id')}`)).toHaveLength(1);
    const other = await call('POST', '/operator/accounts', { name: 'Other' }, { commandId });
    expect(other).toMatchObject({ status: 422, body: { error: 'command_id_taken' } });
  });

  it('accounts are listed in pages, in the order of their creation', async () => {
    const ids: string[] = [];
    let next: unknown = null;
    for (let page = 0; page < 10; page += 1) {
      const answer = await call('GET', `/operator/accounts?limit=2${next === null ? '' : `&after=${next}`}`);
      const accounts = at(answer.body, 'accounts');
      if (!Array.isArray(accounts)) throw new Error('no list');
      ids.push(...accounts.map((account) => textAt(account, 'id')));
      next = at(answer.body, 'next');
      if (next === null) break;
    }
    const rows = await service.db.query<{ account_id: string }>('select account_id from accounts');
    expect(ids).toEqual(rows.map((row) => row.account_id).sort());
    expect(ids.length).toBeGreaterThan(3);
  });
});

describe('in live mode', async () => {
  const service = await startOperatorService({ mode: 'live' });
  const { call } = service;

  it('a new account has no money and its senders are reviewed', async () => {
    const created = await call('POST', '/operator/accounts', { name: 'Real' });
    expect(at(created.body, 'account')).toMatchObject({ full_kyc: false, kyc: 'review' });
    const balances = await call('GET', `/operator/accounts/${textAt(created.body, 'account', 'id')}/balances`);
    expect(balances.body).toEqual({ balances: [] });
  });

  it('a change is stored and told with the terms before and after', async () => {
    const id = textAt((await call('POST', '/operator/accounts', { name: 'Before' })).body, 'account', 'id');
    service.moveClock(60_000);
    const changed = await call('PATCH', `/operator/accounts/${id}`, {
      name: 'After',
      full_kyc: true,
      wtr2: true,
      account_validation: true,
    });
    expect(changed.status).toBe(200);
    const shown = await call('GET', `/operator/accounts/${id}`);
    expect(at(shown.body, 'account')).toEqual(at(changed.body, 'account'));
    expect(at(shown.body, 'account')).toMatchObject({
      name: 'After',
      wtr2: true,
      account_validation: true,
      created_at: '2026-11-16T09:00:00.000Z',
      updated_at: '2026-11-16T09:01:00.000Z',
    });
    const [entry] = await auditEntries(service, `&subject=${id}`);
    expect(entry).toMatchObject({
      action: 'account.set',
      before: { name: 'Before', wtr2: false },
      after: { name: 'After', wtr2: true },
    });
  });

  it.each([
    ['wtr2 without full_kyc', { wtr2: true }, 'wtr2_needs_full_kyc'],
    ['wtr2 together with full_kyc switched off', { full_kyc: false, wtr2: true }, 'wtr2_needs_full_kyc'],
    ['a name of spaces', { name: '   ' }, 'invalid'],
  ])('%s is refused and nothing changes', async (_what, change, error) => {
    const id = textAt((await call('POST', '/operator/accounts', { name: 'Same' })).body, 'account', 'id');
    expect(await call('PATCH', `/operator/accounts/${id}`, change)).toMatchObject({ status: 422, body: { error } });
    expect(at((await call('GET', `/operator/accounts/${id}`)).body, 'account')).toMatchObject({
      name: 'Same',
      wtr2: false,
      full_kyc: false,
    });
    expect(await auditEntries(service, `&subject=${id}`)).toHaveLength(1);
  });

  it('the permission to go below zero is taken over by the balances, and back only when none is below zero', async () => {
    const id = textAt((await call('POST', '/operator/accounts', { name: 'Overdraft' })).body, 'account', 'id');
    const path = `/operator/accounts/${id}`;
    const debit = { currency: 'USD', amount: '40', reference: 'W-1' };
    await call('POST', `${path}/credits`, { currency: 'USD', amount: '10', reference: 'W-1' });
    const other = textAt((await call('POST', '/operator/accounts', { name: 'Beside it' })).body, 'account', 'id');
    await call('POST', `/operator/accounts/${other}/credits`, { currency: 'USD', amount: '10', reference: 'W-1' });
    expect((await call('POST', `${path}/debits`, debit)).status).toBe(422);
    expect((await call('PATCH', path, { negative_balance: true })).status).toBe(200);
    expect((await call('POST', `/operator/accounts/${other}/debits`, debit)).status).toBe(422);
    expect((await call('POST', `${path}/debits`, debit)).body).toMatchObject({ balance: '-30.00' });
    // A balance that is opened later follows the account too.
    expect((await call('POST', `${path}/debits`, { currency: 'EUR', amount: 5, reference: 'W-1' })).body).toMatchObject(
      {
        balance: '-5.00',
      },
    );

    const refused = await call('PATCH', path, { negative_balance: false });
    expect(refused).toMatchObject({ status: 422, body: { error: 'balance_below_zero' } });
    expect(JSON.stringify(refused.body)).toContain('EUR, USD');
    await call('POST', `${path}/credits`, { currency: 'USD', amount: '29.99', reference: 'W-2' });
    await call('POST', `${path}/credits`, { currency: 'EUR', amount: '5', reference: 'W-2' });
    expect((await call('PATCH', path, { negative_balance: false })).status).toBe(422);
    await call('POST', `${path}/credits`, { currency: 'USD', amount: '0.01', reference: 'W-3' });
    expect((await call('PATCH', path, { negative_balance: false })).status).toBe(200);
    expect(
      (await call('POST', `${path}/debits`, { currency: 'USD', amount: '0.01', reference: 'W-2' })).body,
    ).toMatchObject({
      error: 'insufficient_balance',
    });
    expect((await verifyLedger(service.db)).differences).toEqual([]);
  });

  it.each(['GET', 'PATCH'])('%s of an account that does not exist is 404', async (method) => {
    const body = method === 'PATCH' ? { name: 'X' } : undefined;
    const answer = await call(method, `/operator/accounts/${MISSING}`, body);
    expect(answer).toMatchObject({ status: 404, body: { error: 'account_not_found' } });
  });
});
