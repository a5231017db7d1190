/** Admission to production: who is let in, what its keys answer before, and the command line for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openCredentials } from '../../server/src/accounts/credentials.ts';
import { judgeUse, type RecordedUse } from '../../server/src/onboarding/check.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import { writeOperatorAccess } from '../../server/src/operator/local-files.ts';
import { callerOf } from '../http/edge.ts';
import { runCli } from '../operator/run-cli.ts';
import { at, auditEntries, openListener, textAt } from '../operator/support.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();
const PUBLIC_URL = 'https://pay.example.com';
const live = await startApp({ db, flags: { mode: 'live', publicUrl: PUBLIC_URL } });
const sandbox = await startApp({ db });
const listener = await openListener(operatorContext(live.ctx));
const { call } = listener;
const data = await mkdtemp(join(tmpdir(), 'payferry-cli-'));
await writeOperatorAccess(data, { url: listener.url, token: listener.token });
afterAll(() => rm(data, { recursive: true, force: true }));

/** As an operator makes it, with its first key. */
async function newAccount() {
  const { body } = await call('POST', '/operator/accounts', { name: 'Acme' });
  return {
    accountId: textAt(body, 'account', 'id'),
    key: textAt(body, 'key', 'key'),
    secret: textAt(body, 'secret'),
  };
}

const ask = (account: { key: string; secret: string }, options = {}) =>
  callerOf(live, account).get('/v1/webhooks', { signedUrl: `${PUBLIC_URL}/v1/webhooks`, ...options });

const admit = (accountId: string, body: object = {}) => call('POST', `/operator/accounts/${accountId}/admission`, body);

describe('in live mode', () => {
  it('the keys of a new account are told that it is not admitted yet, and work once it is', async () => {
    const account = await newAccount();
    expect(await ask(account)).toMatchObject({
      status: 403,
      body: { status: 403, error: expect.stringContaining('not admitted to production yet') },
    });
    expect((await admit(account.accountId, { reason: 'checked in the sandbox on Monday' })).status).toBe(200);
    // What a process has read of a key it goes by for two seconds: a new one asks at once.
    expect(await openCredentials(live.ctx).find(account.key)).toMatchObject({ isAdmitted: true });
    await expect.poll(async () => (await ask(account)).status).toBe(200);
  });

  it('a wrong signature and an unknown key hear nothing of it', async () => {
    const account = await newAccount();
    expect((await ask({ ...account, secret: 'wrong' })).status).toBe(401);
    expect((await ask({ ...account, key: 'nobody' })).status).toBe(401);
  });

  it('a call that is turned away uses up its nonce', async () => {
    const account = await newAccount();
    expect((await ask(account, { nonce: 'once' })).status).toBe(403);
    expect((await ask(account, { nonce: 'once' })).status).toBe(401);
  });
});

it('in the sandbox nobody asks for it', async () => {
  const account = await newAccount();
  expect((await callerOf(sandbox, account).get('/v1/webhooks')).status).toBe(200);
});

describe('an admission', () => {
  it('needs every point, or a reason to skip the check', async () => {
    const { accountId } = await newAccount();
    const refused = await admit(accountId);
    expect(refused).toMatchObject({ status: 422, body: { error: 'check_not_met' } });
    expect(at(refused.body, 'details')).toHaveLength(5);
    expect(await admit(accountId, { reason: 'a customer for years' })).toMatchObject({
      status: 200,
      body: {
        check: {
          met: false,
          admitted: true,
          admitted_by: 'ada',
          admitted_as_met: false,
          admission_reason: 'a customer for years',
        },
      },
    });
    expect(await admit(accountId, { reason: 'again' })).toMatchObject({
      status: 422,
      body: { error: 'already_admitted' },
    });
    expect(await auditEntries(listener, `&subject=${accountId}&action=account.admit`)).toMatchObject([
      {
        operator: 'ada',
        after: { admission_reason: 'a customer for years', points: [{ met: false }, {}, {}, {}, {}] },
      },
    ]);
  });

  it('twice under one command id is one', async () => {
    const { accountId } = await newAccount();
    const commandId = live.ctx.ids.next();
    const again = () => call('POST', `/operator/accounts/${accountId}/admission`, { reason: 'once' }, { commandId });
    expect([(await again()).status, (await again()).status]).toEqual([200, 200]);
  });

  it('of an account that nobody knows is refused', async () => {
    expect(await admit('00000000-0000-4000-8000-000000000000', { reason: 'x' })).toMatchObject({ status: 404 });
  });
});

describe('the points', () => {
  const none = <T extends string>(...names: T[]) => ({
    counts: Object.fromEntries(names.map((name) => [name, 1])) as Record<T, number>,
    lastAt: null,
  });
  const good: RecordedUse = {
    senders: none('senders', 'with_external_id', 'reused'),
    webhooks: none('enabled', 'delivered', 'dropped'),
    limits: { counts: { windows: 3, windows_over: 0 }, lastAt: null },
    statusChecks: { counts: { status_checks: 3, hours_over: 0 }, lastAt: null },
    errors: none('errors', 'delivered', 'read'),
    cancels: none('canceled'),
  };
  const unmet = (use: RecordedUse) => judgeUse(use).flatMap(({ point, isMet }) => (isMet ? [] : [point]));

  it.each<[string, Partial<RecordedUse>, string[]]>([
    ['all is well', {}, []],
    [
      'no sender was reused',
      { senders: { ...good.senders, counts: { ...good.senders.counts, reused: 0 } } },
      ['senders_reused'],
    ],
    [
      'its webhook is gone',
      { webhooks: { counts: { enabled: 0, delivered: 9, dropped: 0 }, lastAt: null } },
      ['webhooks_answered'],
    ],
    [
      'nothing was delivered',
      { webhooks: { counts: { enabled: 1, delivered: 0, dropped: 0 }, lastAt: null } },
      ['webhooks_answered'],
    ],
    [
      'a limit was exceeded',
      { limits: { counts: { windows: 3, windows_over: 1 }, lastAt: null } },
      ['polling_within_limits'],
    ],
    ['errors were delivered alone', { errors: { counts: { errors: 1, delivered: 1, read: 0 }, lastAt: null } }, []],
    ['errors were read alone', { errors: { counts: { errors: 1, delivered: 0, read: 1 }, lastAt: null } }, []],
    [
      'errors were not read',
      { errors: { counts: { errors: 1, delivered: 0, read: 0 }, lastAt: null } },
      ['errors_read'],
    ],
    ['nothing was canceled', { cancels: { counts: { canceled: 0 }, lastAt: null } }, ['recipient_canceled']],
  ])('%s', (_, over, expected) => {
    expect(unmet({ ...good, ...over })).toEqual(expected);
  });
});

it('`account check` and `account admit` say it in words', async () => {
  const { accountId } = await newAccount();
  const run = (...args: string[]) => runCli(['account', ...args, '--data', data]);
  const checked = await run('check', accountId);
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  expect(checked.stdout).toMatch(/senders are reused through external_id +not met +senders: 0, with external id: 0/);
  expect(checked.stdout).toContain('Not admitted: in live mode its keys do not work.');
  const refused = await run('admit', accountId);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('check_not_met') });
  const admitted = await run('admit', accountId, '--reason', 'seen in the sandbox');
  expect(admitted.stdout).toMatch(/^Admitted at .* by ada; not every point was met; seen in the sandbox\n$/);
  expect((await run('check', accountId)).stdout).toContain('Admitted at');
});
