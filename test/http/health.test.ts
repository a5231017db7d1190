/** GET /health/live and /health/ready: anybody may ask, and the answers are true. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertKey, makeCredentials, opensSecrets } from '../../server/src/accounts/keys.ts';
import { type Seal, sealWith } from '../../server/src/accounts/seal.ts';
import { Readiness } from '../../server/src/http/health.ts';
import { type Database, DatabaseUnavailable } from '../../server/src/kernel/database.ts';
import { openPg } from '../../server/src/storage/pg.ts';
import { makeAccount, NOON } from '../ledger/make-account.ts';
import { freshDatabase } from '../support/database.ts';
import { startEdge } from './edge.ts';

const { db, url } = await freshDatabase();
const edge = await startEdge({ db });

async function ask(path: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${edge.baseUrl}${path}`);
  return { status: answer.status, body: await answer.json() };
}

/** A database that answers, fails or stays silent, as it is told. */
function moodyDatabase() {
  const mood = { now: 'well' as 'well' | 'away' | 'silent', asked: 0 };
  const inTx: Database['inTx'] = (work) => {
    mood.asked += 1;
    if (mood.now === 'away') return Promise.reject(new DatabaseUnavailable('away'));
    return mood.now === 'silent' ? new Promise(() => undefined) : db.inTx(work);
  };
  return { mood, database: { ...db, inTx } };
}

describe('health', () => {
  it('is live and ready without credentials', async () => {
    expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'live' } });
    expect(await ask('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });
  });

  it.each(['starting', 'migrating', 'stopping'] as const)('is live but not ready while %s', async (phase) => {
    edge.readiness.enter(phase);
    expect(await ask('/health/ready')).toEqual({
      status: 503,
      body: { status: 503, error: `the service is ${phase}` },
    });
    expect((await ask('/health/live')).status).toBe(200);
    edge.readiness.enter('running');
    expect((await ask('/health/ready')).status).toBe(200);
  });

  it('every answer ends its connection while stopping, also to a call that nobody takes, and none before', async () => {
    const connectionAfter = async (path: string) => (await fetch(`${edge.baseUrl}${path}`)).headers.get('connection');
    const paths = ['/health/ready', '/health/live', '/v1/accounts', '/nothing/here'];
    expect(await Promise.all(paths.map(connectionAfter))).toEqual(paths.map(() => 'keep-alive'));
    edge.readiness.enter('stopping');
    expect(await Promise.all(paths.map(connectionAfter))).toEqual(paths.map(() => 'close'));
    edge.readiness.enter('running');
  });

  it('is not ready before it was said to be', async () => {
    expect(await new Readiness(db).whyNot()).toBe('the service is starting');
  });

  it.each(['away', 'silent'] as const)(
    'is not ready while the database is %s, and ready again after',
    async (state) => {
      const { mood, database } = moodyDatabase();
      let now = 0;
      const readiness = new Readiness(database, { nowMs: () => now });
      readiness.enter('running');
      expect(await readiness.whyNot()).toBeUndefined();
      mood.now = state;
      now += 1_000;
      expect(await readiness.whyNot()).toBe('the database does not answer');
      mood.now = 'well';
      now += 1_000;
      expect(await readiness.whyNot()).toBeUndefined();
    },
  );

  it('is not ready on a connection to a server that takes no writes, and ready again on the next one', async () => {
    const single = openPg({ url, poolSize: 1, statementTimeoutMs: 5_000 });
    onTestFinished(() => single.close());
    await single.execute('set session characteristics as transaction read only');
    let now = 0;
    const readiness = new Readiness(single, { nowMs: () => now });
    readiness.enter('running');
    expect(await readiness.whyNot()).toBe('the database takes no writes');
    now += 1_000;
    expect(await readiness.whyNot()).toBeUndefined();
  });

  it('is not ready for as long as the server takes no writes', async () => {
    const { db: reading, url: readingUrl } = await freshDatabase();
    const [row] = await reading.query<{ name: string }>('select current_database()::text as name');
    await reading.execute(`alter database ${row?.name} set default_transaction_read_only = on`);
    const pool = openPg({ url: readingUrl, poolSize: 2, statementTimeoutMs: 5_000 });
    onTestFinished(() => pool.close());
    let now = 0;
    const readiness = new Readiness(pool, { nowMs: () => now });
    readiness.enter('running');
    for (; now < 3_000; now += 1_000) expect(await readiness.whyNot()).toBe('the database takes no writes');
    await reading.execute(`alter database ${row?.name} reset default_transaction_read_only`);
    expect(await readiness.whyNot()).toBeUndefined();
  });

  it('is not ready while no secret opens, but with one that does', async () => {
    const { db: own } = await freshDatabase();
    const accountId = await makeAccount(own);
    const [ours, theirs] = [sealWith(Buffer.alloc(32, 1)), sealWith(Buffer.alloc(32, 2))];
    let now = 0;
    const readiness = new Readiness(own, { nowMs: () => now, opensSecrets: (tx) => opensSecrets(tx, ours) });
    readiness.enter('running');
    const afterKeyUnder = async (seal: Seal) => {
      const key = { ...makeCredentials(), accountId, label: 'for a test', createdAt: NOON };
      await own.inTx((tx) => insertKey(tx, seal, key));
      now += 1_000;
      return readiness.whyNot();
    };
    expect(await readiness.whyNot()).toBeUndefined();
    expect(await afterKeyUnder(theirs)).toContain('stored under another master key');
    expect(await afterKeyUnder(ours)).toBeUndefined();
    expect(await afterKeyUnder(theirs)).toBeUndefined();
  });

  it('asks the database at most once a second, however many ask it', async () => {
    const { mood, database } = moodyDatabase();
    let now = 0;
    const readiness = new Readiness(database, { nowMs: () => now });
    readiness.enter('running');
    await Promise.all(Array.from({ length: 20 }, () => readiness.whyNot()));
    now = 999;
    await readiness.whyNot();
    expect(mood.asked).toBe(1);
    now = 1_000;
    await readiness.whyNot();
    expect(mood.asked).toBe(2);
  });
});
