import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operatorCli, runCli } from './run-cli.ts';
import { at, createPlainAccount, startOperatorService, textAt } from './support.ts';

const service = await startOperatorService({ flags: { sandboxOpeningBalance: '0' } });
const { data, lines, json } = await operatorCli(service);

describe('for programs', () => {
  it('account create prints id, key and secret', async () => {
    const created = await json('account', 'create', '--name', 'By hand', '--full-kyc', 'true', '--wtr2', 'true');
    expect(created).toMatchObject({ name: 'By hand', full_kyc: true, wtr2: true });
    expect(textAt(created, 'key')).toMatch(/^pf_/);
    expect(textAt(created, 'secret')).toMatch(/^[0-9a-f]{64}$/);
    const shown = await service.call('GET', `/operator/accounts/${textAt(created, 'id')}`);
    expect(at(shown.body, 'account', 'name')).toBe('By hand');
  });

  it('account set changes what is given, and account list shows it', async () => {
    const id = await createPlainAccount(service, 'Old name');
    const args = ['--name', 'New name', '--negative-balance', 'true', '--same-currency', 'USD,EUR'];
    expect(await json('account', 'set', id, ...args)).toMatchObject({
      account: { name: 'New name', negative_balance: true, same_currency: ['EUR', 'USD'], kyc: 'waived' },
    });
    const listed = await json('account', 'list', '--limit', '500');
    expect(at(listed, 'accounts')).toContainEqual(expect.objectContaining({ id, name: 'New name' }));
  });

  it('keys are made, listed and revoked', async () => {
    const id = await createPlainAccount(service);
    const made = await json('key', 'create', id, '--label', 'shop');
    const key = textAt(made, 'key', 'key');
    expect(textAt(made, 'secret')).toHaveLength(64);
    expect(await json('key', 'revoke', key)).toMatchObject({ key: { key, label: 'shop' } });
    expect(at(await json('key', 'list', id), 'keys')).toContainEqual(
      expect.objectContaining({ key, revoked_at: '2026-11-16T09:00:00.000Z' }),
    );
  });

  it('a credit that is repeated with the same --command-id is posted once', async () => {
    const id = await createPlainAccount(service);
    const args = ['balance', 'credit', id, 'USD', '12.50', '--command-id', service.ctx.ids.next()];
    const first = await json(...args);
    expect(first).toMatchObject({ amount: '12.50', balance: '12.50' });
    expect(await json(...args)).toEqual({ ...Object(first), already_posted_at: expect.any(String) });
    expect(await lines(...args)).toEqual([
      expect.stringMatching(
        /^nothing was posted now; at \S+ it was credited 12\.50 USD; the balance was then 12\.50 USD$/,
      ),
    ]);
    expect(await json('balance', 'debit', id, 'USD', '2')).toMatchObject({ balance: '10.50' });
  });

  it('rates are set and listed, and the audit log tells it', async () => {
    expect(await json('rate', 'set', 'NGN', '1500')).toMatchObject({ rate: { currency: 'NGN', value: '1500' } });
    expect(at(await json('rate', 'list'), 'rates')).toContainEqual(
      expect.objectContaining({ currency: 'NGN', origin: 'operator ada' }),
    );
    expect(at(await json('audit', 'list', '--action', 'rate.set', '--subject', 'NGN'), 'entries')).toMatchObject([
      { operator: 'ada', before: null, after: { value: '1500' } },
    ]);
  });

  it('an operator is added, works by flags and by environment, and is revoked', async () => {
    const made = await json('operator', 'create', 'cli');
    const token = textAt(made, 'token');
    const byFlags = ['rate', 'list', '--operator-url', service.url, '--operator-token', token];
    expect((await runCli(byFlags)).code).toBe(0);
    const env = { PAYFERRY_OPERATOR_URL: service.url, PAYFERRY_OPERATOR_TOKEN: token };
    expect((await runCli(['operator', 'list', '--json'], { env })).stdout).toContain('"cli"');
    expect(await json('operator', 'revoke', 'cli')).toMatchObject({ operator: { name: 'cli' } });
    const refused = await runCli(byFlags);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('unauthorized');
  });
});

describe('for people', () => {
  it('balances are a table', async () => {
    const id = await createPlainAccount(service);
    expect(await lines('balance', 'credit', id, 'XOF', '5000')).toEqual(['credited 5000 XOF; the balance is 5000 XOF']);
    expect(await lines('balance', 'show', id)).toEqual([
      'Currency | balance | held | exchange | payout_settlement | payin_settlement | treasury | suspense',
      'XOF | 5000 | 0 | 0 | 0 | 0 | -5000 | 0',
    ]);
    expect(await lines('account', 'show', id)).toContain('Balance XOF | 5000, held 0');
    expect(await lines('balance', 'open', id, 'USD::Partner')).toEqual(['opened USD::Partner']);
    expect(await lines('account', 'show', id)).toContain('Balance USD::Partner | 0.00, held 0.00');
  });

  it('right books are said to be right; differences are listed and end with 1', async () => {
    expect((await lines('ledger', 'verify'))[0]).toMatch(/^The books are right\. Accounts checked: \d+\.$/);
    const id = await createPlainAccount(service);
    await service.db.execute(
      `insert into ledger_balances (account_id, currency, ledger_account, amount, may_go_below_zero)
       values ($1, 'USD', 'held', 7, false)`,
      [id],
    );
    const run = await runCli(['ledger', 'verify', '--data', data]);
    await service.db.execute('delete from ledger_balances where account_id = $1', [id]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(new RegExp(`balance_differs +${id} +USD held +0 +7`));
    expect(run.stderr).toBe('payferry: the books are not right: 1 differences, in minor units\n');
  });

  it('a refusal goes to standard error and ends with 1', async () => {
    const id = await createPlainAccount(service);
    const run = await runCli(['balance', 'debit', id, 'USD', '1', '--data', data]);
    expect(run).toEqual({
      code: 1,
      stdout: '',
      stderr: 'payferry: insufficient_balance: the balance holds 0.00 USD\n',
    });
  });

  it('a mistyped id is told as one', async () => {
    const run = await runCli(['account', 'show', 'abc', '--data', data]);
    expect(run).toEqual({ code: 1, stdout: '', stderr: 'payferry: not_found: account_id: is not a UUID\n' });
  });

  it.each([
    [['account', 'list'], ['--data', join(tmpdir(), 'payferry-nowhere')], 'there is no'],
    [
      ['account', 'list'],
      ['--data', join(tmpdir(), 'payferry-nowhere')],
      'A further process on a shared database has no',
    ],
    [['account', 'list'], ['--operator-url', 'http://127.0.0.1:9'], 'needs its token'],
    [['account', 'list'], ['--operator-url', 'ftp://x', '--operator-token', 't'], 'begins with http'],
    [['account', 'list'], ['--operator-url', 'http://127.0.0.1:9', '--operator-token', 'a\r\nb'], 'cannot be sent'],
    [['account', 'list'], ['--operator-url', 'http://127.0.0.1:9', '--operator-token', 'ключ'], 'cannot be sent'],
    [['account', 'set', 'x', '--wtr2', 'maybe'], [], 'neither true nor false'],
    [['balance', 'credit', 'x', 'USD'], [], "missing required argument 'amount'"],
    [['key', 'create', 'x', '--command-id', '7'], [], 'not a UUID'],
    [['nonsense'], [], "unknown command 'nonsense'"],
  ])('%j with %j fails with a message', async (args, flags, message) => {
    const run = await runCli([...args, ...flags]);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain(message);
  });

  it('when no answer comes to an action, the message says how to repeat it safely', async () => {
    const mute = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${Object(mute.address()).port}`;
    const run = await runCli(['rate', 'set', 'NGN', '1', '--operator-url', url, '--operator-token', 't']);
    mute.close();
    expect(run.stderr).toMatch(/^payferry: no answer from http:\/\/127\.0\.0\.1:.*\n.*--command-id [0-9a-f-]{36}\n$/);
  });

  it('an address that answers everything with a page is not taken for the service', async () => {
    const page = createHttpServer((_request, response) => response.end('<html>Who are you?</html>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${Object(page.address()).port}`;
    const flags = ['--operator-url', url, '--operator-token', 't'];
    const read = await runCli(['attention', ...flags]);
    const says = `payferry: ${url} is not the operator listener of a service: its answer is no JSON\n`;
    expect(read).toEqual({ code: 1, stdout: '', stderr: says });
    const acted = await runCli(['provider', 'pause', 'bank', ...flags]);
    page.close();
    expect(acted).toMatchObject({ code: 1, stdout: '' });
    expect(acted.stderr).toContain(`${says}To find out whether it was done, repeat it with --command-id `);
  });

  it.each([
    ['http://127.0.0.1:9', 'nothing listens at http://127.0.0.1:9, so nothing was sent: is it running?\n'],
    ['http://localhost:9', 'nothing listens at http://localhost:9, so nothing was sent: is it running?\n'],
    ['http://nobody.invalid', /^http:\/\/nobody\.invalid is not reached, so nothing was sent: .+\n$/],
  ])('an action that could not be sent to %s was not done, and the message says so', async (url, message) => {
    const run = await runCli(['rate', 'set', 'NGN', '1', '--operator-url', url, '--operator-token', 't']);
    expect(run.stderr.replace('payferry: ', '')).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('an amount with an exponent is refused: nobody means it', async () => {
    const id = await createPlainAccount(service);
    const run = await runCli(['balance', 'credit', id, 'USD', '1e3', '--data', data]);
    expect(run).toEqual({ code: 1, stdout: '', stderr: 'payferry: amount_invalid: amount: not_a_number\n' });
  });
});
