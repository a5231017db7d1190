/** `payferry migrate` on a database that `payferry serve` would refuse: it stays as it is, for those who run on it. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { insertKey, makeCredentials } from '../../server/src/accounts/keys.ts';
import { sealWith } from '../../server/src/accounts/seal.ts';
import { migrate, readMigrations } from '../../server/src/storage/migrate.ts';
import { openPg } from '../../server/src/storage/pg.ts';
import { makeAccount, NOON } from '../ledger/make-account.ts';
import { databaseUrl } from '../support/database-url.ts';
import { runCli } from './run-cli.ts';

const MASTER_KEY = randomBytes(32);
const data = await mkdtemp(join(tmpdir(), 'payferry-migrate-'));
afterAll(() => rm(data, { recursive: true, force: true }));

/** Where the socket stands in the query, a host before it makes the address a URL too. */
const named = (name: string) => databaseUrl(inject('serverUrl'), name).replace('@/', '@localhost/');

/** The database of a service that runs an earlier version, and has stored a secret under its master key. */
async function older(mode: 'sandbox' | 'live') {
  const name = `${inject('templateName')}_older_${mode}_${process.pid}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = named(name);
  await migrate(url, (await readMigrations()).slice(0, -1));
  const db = openPg({ url, poolSize: 1, statementTimeoutMs: 20_000 });
  afterAll(() => db.close());
  await db.execute('insert into installation (id, mode) values (1, $1)', [mode]);
  const key = { ...makeCredentials(), accountId: await makeAccount(db), label: 'for a test', createdAt: NOON };
  await db.inTx((tx) => insertKey(tx, sealWith(MASTER_KEY), key));
  return { url, migrationsIn: () => db.query('select version from schema_migrations order by version') };
}

/** As in a sandbox, under that master key. */
const migrateUnder = (masterKey: Buffer, url: string) =>
  runCli(['migrate', '--database-url', url, '--data', data], {
    env: { PAYFERRY_MASTER_KEY: masterKey.toString('hex') },
  });

describe('payferry migrate', async () => {
  const services = { sandbox: await older('sandbox'), live: await older('live') };

  it.each([
    [
      'of a service in the other mode',
      'live',
      MASTER_KEY,
      'This database belongs to a live service, and mode is sandbox',
    ],
    ['under another master key', 'sandbox', randomBytes(32), 'were stored under another master key'],
  ] as const)(
    'refuses a database %s, as serve does, and changes nothing in it',
    async (_which, mode, masterKey, why) => {
      const { url, migrationsIn } = services[mode];
      const before = await migrationsIn();
      const refused = await migrateUnder(masterKey, url);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^payferry: [^\n]+\n$/);
      expect(refused.stderr).toContain(why);
      expect(await migrationsIn()).toEqual(before);
    },
  );

  it('brings one up to date that serve would', async () => {
    const { url, migrationsIn } = services.sandbox;
    const { length } = await migrationsIn();
    expect(await migrateUnder(MASTER_KEY, url)).toMatchObject({ code: 0, stderr: '' });
    expect(await migrationsIn()).toHaveLength(length + 1);
  });
});

describe('a database that is not there', () => {
  const nobody = 'postgresql://payferry:hidden@127.0.0.1:1/payferry';
  const key = { PAYFERRY_MASTER_KEY: MASTER_KEY.toString('hex') };

  it.each([
    ['migrate, where nobody listens', ['migrate'], nobody, 'ECONNREFUSED'],
    ['migrate, where there is no such database', ['migrate'], named('no_such_one'), 'does not exist'],
    ['operator recover, where nobody listens', ['operator', 'recover', 'ada'], nobody, 'ECONNREFUSED'],
    ['operator recover, where there is none', ['operator', 'recover', 'ada'], named('no_such_one'), 'does not exist'],
  ])('is told in the words of serve by %s', async (_which, command, url, why) => {
    const run = await runCli([...command, '--database-url', url, '--data', data], { env: key });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/^payferry: The database cannot be used: [^\n]*\. Is DATABASE_URL right\?\n$/);
    expect(run.stderr).toContain(why);
    expect(run.stderr).not.toContain('hidden');
  });
});
