/** `payferry operator recover`: the way back in without a token, on a database that several processes share. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { type CliRun, runCli } from './run-cli.ts';
import { at, auditEntries, createPlainAccount, startOperatorService, textAt } from './support.ts';

const masterKey = randomBytes(32);
const service = await startOperatorService({ masterKey });
const { call, db } = service;
// Its first API key is what the master key is tried on.
await createPlainAccount(service);
const data = await mkdtemp(join(tmpdir(), 'payferry-recover-'));
afterAll(() => rm(data, { recursive: true, force: true }));

/** The socket of the embedded server stands in the query; with a host before it the address is a URL too. */
const addressOf = (url: string) => url.replace('@/', '@localhost/');

/** As on the machine of the service: its database's address and its master key in the environment. */
function recover(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliRun> {
  const given = { DATABASE_URL: addressOf(service.databaseUrl), PAYFERRY_MASTER_KEY: masterKey.toString('hex') };
  return runCli(['operator', 'recover', ...args, '--data', data], { env: { ...given, ...env } });
}

async function recoveredToken(...args: readonly string[]): Promise<string> {
  const run = await recover([...args, '--json']);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return textAt(JSON.parse(run.stdout), 'token');
}

const statusWith = async (token: string) => (await call('GET', '/operator/operators', undefined, { token })).status;

let operators = 0;
/** Somebody whose token is about to be lost. */
async function newOperator(): Promise<{ name: string; token: string }> {
  operators += 1;
  const name = `grace-${operators}`;
  return { name, token: textAt((await call('POST', '/operator/operators', { name })).body, 'token') };
}

const recoveries = () => auditEntries(service, '&action=operator.recover');

describe('with the master key of the service', () => {
  it('an operator gets a new token at once, and the one before is good no more', async () => {
    const { name, token: lost } = await newOperator();
    const run = await recover([name]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const [, token = ''] =
      /^Operator +grace-\d+\nToken +(\S+)\nUse it by +PAYFERRY_OPERATOR_TOKEN;/.exec(run.stdout) ?? [];
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(lost)).toBe(401);
  });

  it('the audit log tells that it was the local command and no operator, and by whom on which machine', async () => {
    const { name } = await newOperator();
    const token = await recoveredToken(name);
    const [entry] = await auditEntries(service, `&subject=${name}&operator=local%20command`);
    expect(entry).toMatchObject({
      action: 'operator.recover',
      before: { name, revoked_at: null },
      after: { name, user: expect.any(String), host: expect.any(String), master_key_tried: true },
    });
    expect(JSON.stringify(entry)).not.toContain(token);
    expect(await call('POST', '/operator/operators', { name: 'local command' })).toMatchObject({ status: 422 });
  });

  it('the line in the audit log has the time of a sandbox that is ahead of its machine', async () => {
    const { name } = await newOperator();
    const aheadMs = 40 * 86_400_000;
    const machineMs = Date.now();
    await db.execute('update sandbox_clock set offset_ms = $1::bigint', [aheadMs]);
    await recoveredToken(name);
    await db.execute('update sandbox_clock set offset_ms = 0');
    const [entry] = await auditEntries(service, `&subject=${name}`);
    expect(Date.parse(textAt(entry, 'at'))).toBeGreaterThanOrEqual(machineMs + aheadMs);
  });

  it('a token and its line in the audit log are one commit', async () => {
    const { name, token } = await newOperator();
    await db.execute(`alter table audit_log add constraint no_recovery check (action <> 'operator.recover') not valid`);
    expect(await recover([name])).toMatchObject({ code: 1, stdout: '' });
    await db.execute('alter table audit_log drop constraint no_recovery');
    expect(await statusWith(token)).toBe(200);
  });

  it('--new adds an operator, and everybody else keeps their token', async () => {
    const { token: other } = await newOperator();
    const token = await recoveredToken('back-in', '--new');
    expect(await statusWith(token)).toBe(200);
    expect(await statusWith(other)).toBe(200);
    expect(await statusWith(service.token)).toBe(200);
    expect(await auditEntries(service, '&subject=back-in')).toMatchObject([
      { action: 'operator.recover', before: null },
    ]);
  });

  it('the key before will do while it is being replaced', async () => {
    const { name } = await newOperator();
    const keys = {
      PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex'),
      PAYFERRY_MASTER_KEY_PREVIOUS: masterKey.toString('hex'),
    };
    expect(await recover([name], keys)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    [
      'a name that nobody has',
      ['nobody'],
      /^payferry: operator_not_found: no operator is named nobody; there are: .*ada/,
    ],
    ['a new name that somebody has', ['ada', '--new'], /^payferry: name_taken: /],
    ['the name of the program itself', ['system', '--new'], /^payferry: name_reserved: /],
    ['a name that is none', ['two words', '--new'], /^payferry: invalid: a name has /],
  ])('%s is refused, and nothing is changed', async (_what, args, says) => {
    const before = await recoveries();
    const run = await recover(args);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(says);
    expect(await recoveries()).toEqual(before);
    expect(await statusWith(service.token)).toBe(200);
  });

  it('somebody who was revoked does not come back', async () => {
    const { name, token } = await newOperator();
    await call('DELETE', `/operator/operators/${name}`);
    for (const flags of [[], ['--new']]) {
      const run = await recover([name, ...flags]);
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(flags.length === 0 ? /already_revoked/ : /name_taken/);
    }
    expect(await statusWith(token)).toBe(401);
    expect(at((await auditEntries(service, `&subject=${name}`))[0], 'action')).toBe('operator.revoke');
  });
});

describe('without the master key of the service', () => {
  it('nothing is changed by another key', async () => {
    const { name, token } = await newOperator();
    const before = await recoveries();
    for (const args of [[name], ['intruder', '--new']]) {
      const run = await recover(args, { PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex') });
      expect(run).toMatchObject({ code: 1, stdout: '' });
      expect(run.stderr).toMatch(/^payferry: The secrets in this database were stored under another master key\./);
    }
    expect(await statusWith(token)).toBe(200);
    expect(await recoveries()).toEqual(before);
    const listed = await call('GET', '/operator/operators');
    expect(JSON.stringify(listed.body)).not.toContain('intruder');
  });

  it('it says so, and makes none', async () => {
    const run = await recover(['ada'], { PAYFERRY_MASTER_KEY: '' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^payferry: There is no master key in \S+\. Give the one of the service as/);
    expect(await readdir(data)).toEqual([]);
    expect(await statusWith(service.token)).toBe(200);
  });
});

describe('a database on which', async () => {
  const empty = await freshDatabase();
  const there = { DATABASE_URL: addressOf(empty.url) };

  it('nothing is stored under a master key yet takes any, and the answer and the audit log say so', async () => {
    const run = await recover(['first', '--new'], there);
    expect(run.code).toBe(0);
    expect(run.stderr).toBe('Nothing is stored under a master key yet, so this one could not be tried.\n');
    const rows = await empty.db.query<{ after: unknown }>('select operator, subject, after from audit_log');
    expect(rows).toMatchObject([{ operator: 'local command', subject: 'first', after: { master_key_tried: false } }]);
  });

  it('a newer program has worked is left alone', async () => {
    await empty.db.execute(`insert into schema_migrations values (9999, '9999_later', 'x', $1)`, [new Date()]);
    const run = await recover(['second', '--new'], there);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('9999_later');
    expect(await empty.db.query('select name from operators')).toEqual([{ name: 'first' }]);
  });

  it('no service was ever started is told apart, and left empty', async () => {
    await empty.db.execute('create schema bare');
    const options = `options=${encodeURIComponent('-c search_path=bare')}`;
    const url = `${there.DATABASE_URL}${there.DATABASE_URL.includes('?') ? '&' : '?'}${options}`;
    const run = await recover(['third', '--new'], { DATABASE_URL: url });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toBe('payferry: the database is empty: no service was ever started on it\n');
  });

  it('nobody answers is told in one line', async () => {
    const run = await recover(['ada'], { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /^payferry: The database cannot be used: [^\n]*ECONNREFUSED[^\n]* Is DATABASE_URL right\?\n$/,
    );
  });
});
