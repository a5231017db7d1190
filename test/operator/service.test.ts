/** The operator listener itself: who gets in, what bad input is answered with, settings, metrics and the audit log. */
import { describe, expect, it } from 'vitest';
import { at, auditEntries, createPlainAccount, startOperatorService, textAt } from './support.ts';

describe('the operator listener', async () => {
  const service = await startOperatorService();
  const { call, token } = service;

  describe.each([
    ['GET', '/operator/accounts'],
    ['POST', '/operator/accounts'],
    ['GET', '/operator/settings'],
    ['GET', '/operator/audit'],
    ['GET', '/operator/ledger/verification'],
    ['GET', '/metrics'],
    ['GET', '/no/such/path'],
  ])('%s %s', (method, path) => {
    it.each([
      ['no token', null, {}],
      ['a token that nobody has', 'pfo_unknown', {}],
      ['another scheme', null, { authorization: `Basic ${token}` }],
      ['a token that is too long', 'x'.repeat(201), {}],
    ])('is 401 with %s', async (_what, bearer, headers) => {
      const answer = await call(method, path, undefined, { token: bearer, headers });
      expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    });
  });

  it('a path that does not exist is 404', async () => {
    const answer = await call('GET', '/operator/nothing?secret=1');
    expect(answer).toMatchObject({
      status: 404,
      body: { error: 'not_found', details: ['no such path: GET /operator/nothing'] },
    });
  });

  it.each([
    ['/operator/accounts/abc', 'account_id: is not a UUID'],
    ['/operator/accounts/abc/balances', 'account_id: is not a UUID'],
    ['/operator/accounts/abc/keys', 'account_id: is not a UUID'],
    ['/operator/accounts/abc/webhooks', 'account_id: is not a UUID'],
    ['/operator/recipients/abc', 'recipient_id: is not a UUID'],
    ['/operator/holds/abc', 'transaction_id: is not a UUID'],
    ['/operator/senders/abc', 'sender_id: is not a UUID'],
    ['/operator/corridors/NGN%20Bank', 'type: is not a type such as `NGN::Bank`'],
  ])('%s names nothing, and the answer says why', async (path, reason) => {
    expect(await call('GET', path)).toMatchObject({ status: 404, body: { error: 'not_found', details: [reason] } });
  });

  it.each([
    ['JSON that cannot be read', '{"name":', {}, 400, 'bad_request'],
    ['JSON that poisons objects', '{"__proto__":{"name":"x"}}', {}, 400, 'bad_request'],
    ['another content type', 'name=x', { 'content-type': 'text/plain' }, 415, 'media_type_unknown'],
    ['a body that is too large', { name: 'x'.repeat(70_000) }, {}, 413, 'body_too_large'],
    ['no body', undefined, {}, 422, 'invalid'],
    ['a list', [], {}, 422, 'invalid'],
    ['no name', {}, {}, 422, 'invalid'],
    ['a name that is a number', { name: 5 }, {}, 422, 'invalid'],
    ['a name with a zero byte', { name: 'a\u0000b' }, {}, 422, 'invalid'],
    ['a name that is too long', { name: 'x'.repeat(201) }, {}, 422, 'invalid'],
    ['a field that does not exist', { name: 'x', full_kcy: true }, {}, 422, 'invalid'],
    ['a word in place of a switch', { name: 'x', full_kyc: 'yes' }, {}, 422, 'invalid'],
    ['a kind of KYC that does not exist', { name: 'x', kyc: 'none' }, {}, 422, 'invalid'],
    ['a currency that does not exist', { name: 'x', same_currency: ['ABC'] }, {}, 422, 'invalid'],
    ['a command id that is no UUID', { name: 'x' }, { 'command-id': '7' }, 422, 'invalid'],
  ])('creating an account with %s is refused', async (_what, body, headers, status, error) => {
    const answer = await call('POST', '/operator/accounts', body, { headers });
    expect(answer).toMatchObject({ status, body: { error } });
    expect(at(answer.body, 'details')).toEqual(expect.arrayContaining([expect.any(String)]));
  });

  it('all mistakes of a request are told at once, each with its field', async () => {
    const answer = await call('POST', '/operator/accounts', { full_kyc: 1, kyc: 2, typo: 3 });
    const details = at(answer.body, 'details');
    expect(details).toHaveLength(4);
    for (const field of ['name', 'full_kyc', 'kyc', 'typo']) {
      expect(details).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
    }
  });

  it.each([
    '/operator/accounts?limit=0',
    '/operator/accounts?limit=501',
    '/operator/accounts?limit=1&limit=2',
    '/operator/accounts?after=x',
    '/operator/audit?limit=many',
    '/operator/audit?before=yesterday',
    `/operator/audit?before=1_${'-'.repeat(36)}`,
    `/operator/attention?after=1_${'-'.repeat(36)}_0`,
    `/operator/reviews?after=1_${'-'.repeat(36)}`,
    `/operator/payins/suspense?after=1_${'-'.repeat(36)}`,
    '/operator/audit?actions=x',
    '/operator/audit?operator=%00',
  ])('%s is refused with 422', async (path) => {
    expect(await call('GET', path)).toMatchObject({ status: 422, body: { error: 'invalid' } });
  });

  it.each([
    ['/health/live', 'live'],
    ['/health/ready', 'ready'],
  ])('%s is told without a token, and nothing else is', async (path, status) => {
    expect(await call('GET', path, undefined, { token: null })).toMatchObject({ status: 200, body: { status } });
    for (const other of ['/metrics', '/operator/settings', `${path}/x`]) {
      expect((await call('GET', other, undefined, { token: null })).status).toBe(401);
    }
  });

  it('an account id that cannot be one is 404', async () => {
    expect((await call('GET', '/operator/accounts/7')).status).toBe(404);
  });

  it('settings are shown with their origin, secrets masked', async () => {
    const answer = await call('GET', '/operator/settings');
    expect(at(answer.body, 'settings')).toContainEqual({
      key: 'operator.port',
      value: '3001',
      origin: 'default',
      origin_name: 'default',
    });
  });

  it('metrics have a token of their own, which opens nothing else', async () => {
    const token = 'only-for-prometheus';
    const own = await startOperatorService({ flags: { operatorMetricsToken: token } });
    expect((await own.call('GET', '/metrics', undefined, { token })).status).toBe(200);
    expect((await own.call('GET', '/metrics', undefined, { token: `${token}x` })).status).toBe(401);
    expect((await own.call('GET', '/operator/audit', undefined, { token })).status).toBe(401);
    expect((await own.call('POST', '/operator/accounts', { name: 'Mine' }, { token })).status).toBe(401);
    expect((await call('GET', '/metrics', undefined, { token })).status).toBe(401);
  });

  it('metrics come as Prometheus reads them and count the requests by route', async () => {
    await call('GET', '/operator/rates');
    await call('GET', '/operator/nothing/Ada');
    const answer = await call('GET', '/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(answer.body).toContain('route="/operator/rates"');
    // By the same word as on the listener of callers.
    expect(answer.body).toContain('route="unmatched",status="404"');
  });

  it('a verification of the ledger says that the books are right', async () => {
    await createPlainAccount(service);
    const answer = await call('GET', '/operator/ledger/verification');
    expect(answer.body).toMatchObject({ clean: true, complete: true, differences: [] });
    expect(at(answer.body, 'accounts_checked')).toBeGreaterThan(0);
  });

  it('the audit log is read in pages, newest first, each row once', async () => {
    const id = await createPlainAccount(service, 'Paged');
    for (let count = 0; count < 5; count += 1) {
      // Two rows of the same millisecond lie on different pages now and then.
      if (count % 2 === 0) service.moveClock(1);
      await call('POST', `/operator/accounts/${id}/credits`, { currency: 'USD', amount: '1' });
    }
    const seen: string[] = [];
    let next: unknown = null;
    do {
      const path = `/operator/audit?subject=${id}&limit=2${next === null ? '' : `&before=${next}`}`;
      const page = await call('GET', path);
      const entries = at(page.body, 'entries');
      if (!Array.isArray(entries)) throw new Error('no entries');
      seen.push(...entries.map((entry) => textAt(entry, 'id')));
      next = at(page.body, 'next');
    } while (next !== null);
    const all = await auditEntries(service, `&subject=${id}`);
    expect(seen).toEqual(all.map((entry) => textAt(entry, 'id')));
    expect(seen).toHaveLength(6);
    const times = all.map((entry) => textAt(entry, 'at'));
    expect(times).toEqual([...times].sort().reverse());
  });

  it('the audit log can be asked by operator, action and subject', async () => {
    const id = await createPlainAccount(service, 'Asked');
    expect(await auditEntries(service, `&operator=ada&action=account.create&subject=${id}`)).toHaveLength(1);
    expect(await auditEntries(service, `&operator=bob&subject=${id}`)).toEqual([]);
  });

  it('the database refuses to change or delete a row of the audit log', async () => {
    await expect(service.db.execute(`update audit_log set operator = 'eve'`)).rejects.toThrow('append-only');
    await expect(service.db.execute('delete from audit_log')).rejects.toThrow('append-only');
  });
});
