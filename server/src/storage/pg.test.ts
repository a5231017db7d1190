/** The port's promises on the pg driver. What both adapters share is in test/kernel/database-port.test.ts. */
import { Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import { CommitUnknown, type Database, DatabaseUnavailable, type Queryable, sqlState } from '../kernel/database.ts';
import { openPg } from './pg.ts';

const { db, url } = await freshDatabase();
/** Nobody listens on this port of the loopback address. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';

/** Another session, to end those of the adapter. */
const other = new pg.Client({ connectionString: url });
beforeAll(() => other.connect());
afterAll(() => other.end());

const sessionOf = async (queryable: Queryable): Promise<number> => {
  const [row] = await queryable.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
};

async function terminate(pid: number): Promise<void> {
  await other.query('select pg_terminate_backend($1, 5000)', [pid]);
}

/** Waits until the session runs a statement that begins like this. */
async function untilRunning(pid: number, text: string): Promise<void> {
  const LOOKS = 500;
  for (let look = 0; look < LOOKS; look += 1) {
    const { rowCount } = await other.query(
      `select 1 from pg_stat_activity where pid = $1 and state = 'active' and query ilike $2 || '%'`,
      [pid, text],
    );
    if (rowCount === 1) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`the session never ran ${text}`);
}

const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (fault) => fault,
  );

describe('statements that are started together', () => {
  it('leave in one write, and those behind an answer in another', async () => {
    await db.inTx(async (tx) => {
      const { contexts } = vi.spyOn(Socket.prototype, '_writev').mock;
      onTestFinished(() => void vi.restoreAllMocks());
      const ask = (n: number) => tx.query<{ n: number }>('select $1::integer as n', [n]);
      await ask(0);
      const [ours] = contexts;
      const writes = () => contexts.filter((socket) => socket === ours).length;
      expect(writes()).toBe(1);
      expect(await Promise.all([1, 2, 3, 4].map(ask))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }], [{ n: 4 }]]);
      expect(writes()).toBe(2);
      await ask(5);
      expect(writes()).toBe(3);
    });
  });

  it('have the time of each, one after the other', async () => {
    const hasty = openPg({ url, poolSize: 1, statementTimeoutMs: 1_000 });
    onTestFinished(() => hasty.close());
    // Together they take longer than the server waits for one of them, and the driver on top of that.
    const naps = await hasty.inTx((tx) =>
      Promise.all(
        Array(5)
          .fill(0.65)
          .map((nap) => tx.query(NAP, [nap])),
      ),
    );
    expect(naps).toHaveLength(5);
  });
});

const NAP = 'select pg_sleep($1::float8)';

describe('a statement that the database refuses', () => {
  it('is thrown with its SQLSTATE, inside a transaction and outside', async () => {
    expect(sqlState(await faultOf(db.query('select 1 / 0')))).toBe('22012');
    expect(sqlState(await faultOf(db.inTx((tx) => tx.query('select 1 / 0'))))).toBe('22012');
  });

  it('that takes too long is canceled', async () => {
    const hasty = openPg({ url, poolSize: 1, statementTimeoutMs: 50 });
    onTestFinished(() => hasty.close());
    expect(sqlState(await faultOf(hasty.query('select pg_sleep(20)')))).toBe('57014');
    expect(await hasty.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is not one that takes long in a transaction which may, and the next one has the usual time again', async () => {
    const hasty = openPg({ url, poolSize: 1, statementTimeoutMs: 100 });
    onTestFinished(() => hasty.close());
    // Longer than the server waits, and longer than the driver does on top of that.
    const slept = hasty.inTx((tx) => tx.execute('select pg_sleep(2.2)'), { statementTimeoutMs: 10_000 });
    await expect(slept).resolves.toBe(1);
    const canceled = await hasty.inTx((tx) => tx.execute('select pg_sleep(2)')).catch(sqlState);
    expect(canceled).toBe('57014');
  });

  it('is heard before those behind it, which fail because of it, however long the way to its fault is', async () => {
    const work = db.inTx((tx) => {
      const failing = tx.query('select 1 / 0');
      // It is waited for only later.
      failing.catch(() => undefined);
      const behind = tx.query('select 1');
      return Promise.all([behind.catch(() => undefined).then(() => failing), behind]);
    });
    expect(sqlState(await faultOf(work))).toBe('22012');
  });

  it('is heard before those behind it on a young connection, where one of them could not be prepared', async () => {
    const young = openPg({ url, poolSize: 1, statementTimeoutMs: 5_000 });
    onTestFinished(() => young.close());
    const late = (answer: Promise<unknown>) => answer.catch(() => new Promise((resolve) => setImmediate(resolve)));
    const work = young.inTx((tx) => {
      const [failing, first, again] = [tx.query('select 1 / 0'), tx.query('select 2'), tx.query('select 2')];
      return Promise.all([late(failing).then(() => failing), late(first).then(() => first), again]);
    });
    expect(sqlState(await faultOf(work))).toBe('22012');
  });

  it('ends the transaction for what was started beside it: nothing more reaches the connection', async () => {
    await db.execute('create table kept (word text)');
    let late: Promise<unknown> = Promise.resolve();
    const fault = await faultOf(
      db.inTx((tx) => {
        const failing = tx.query('select 1 / 0');
        late = failing
          .catch(() => undefined)
          .then(async () => {
            // Long enough for the roll-back to be on its way.
            await new Promise((resolve) => setImmediate(resolve));
            return tx.execute(`insert into kept values ('late')`);
          });
        return Promise.all([failing, late]);
      }),
    );
    expect(sqlState(fault)).toBe('22012');
    await expect(late).rejects.toThrow(BrokenInvariant);
    expect(await db.query('select word from kept')).toEqual([]);
  });

  it('and that the work hides does not end in a commit', async () => {
    const hidden = db.inTx(async (tx) => {
      await tx.execute('create table hidden (id integer)');
      await tx.query('select 1 / 0').catch(() => undefined);
    });
    await expect(hidden).rejects.toThrow(BrokenInvariant);
    expect(await db.query(`select to_regclass('hidden')::text as found`)).toEqual([{ found: null }]);
  });
});

describe('a time', () => {
  const TIMES = [
    '2026-11-15 12:34:56.789+00',
    '2026-11-15 12:34:56+00',
    '1969-12-31 23:59:59.9996+00',
    '0044-03-15 00:00:00+00',
  ];

  it.each(['UTC', 'Africa/Lagos', 'America/St_Johns', 'Asia/Kathmandu'])(
    'is read to the millisecond when the session is in the time zone %s',
    async (zone) => {
      await db.inTx(async (tx) => {
        await tx.execute(`set local time zone '${zone}'`);
        for (const text of TIMES) {
          const [row] = await tx.query<{ at: Date; ms: string }>(
            'select $1::timestamptz as at, floor(extract(epoch from $1::timestamptz) * 1000)::text as ms',
            [text],
          );
          expect(row?.at.getTime()).toBe(Number(row?.ms));
        }
      });
    },
  );
});

describe('a connection that is lost', () => {
  it('while a statement runs means that nothing happened', async () => {
    await db.execute('create table lost_early (id integer)');
    const fault = await faultOf(
      db.inTx(async (tx) => {
        await tx.execute('insert into lost_early values (1)');
        const pid = await sessionOf(tx);
        const sleeping = tx.query('select pg_sleep(20)');
        await Promise.all([sleeping, untilRunning(pid, 'select pg_sleep').then(() => terminate(pid))]);
      }),
    );
    expect(fault).toBeInstanceOf(DatabaseUnavailable);
    expect(await db.query('select id from lost_early')).toEqual([]);
  });

  it('between two statements means that nothing happened, and ends nothing but the transaction', async () => {
    const fault = await faultOf(
      db.inTx(async (tx) => {
        await terminate(await sessionOf(tx));
        // The news of the end arrives while no statement is under way.
        await new Promise((resolve) => setTimeout(resolve, 50));
        await tx.query('select 1');
      }),
    );
    expect(fault).toBeInstanceOf(DatabaseUnavailable);
  });

  it('outside of a transaction is told in the same way', async () => {
    const running = faultOf(db.query('select pg_sleep(20) as outside'));
    const LOOKS = 500;
    for (let look = 0; look < LOOKS; look += 1) {
      const { rows } = await other.query<{ pid: number }>(
        `select pid from pg_stat_activity where query like '%as outside' and state = 'active' and pid <> pg_backend_pid()`,
      );
      if (rows[0]) {
        await terminate(rows[0].pid);
        break;
      }
    }
    expect(await running).toBeInstanceOf(DatabaseUnavailable);
  });

  it('while it rests in the pool is replaced without anybody noticing', async () => {
    const idleFaults: Error[] = [];
    const single = openPg({
      url,
      poolSize: 1,
      statementTimeoutMs: 5_000,
      onIdleFault: (fault) => idleFaults.push(fault),
    });
    onTestFinished(() => single.close());
    const first = await sessionOf(single);
    await terminate(first);
    await expect.poll(() => idleFaults.length).toBeGreaterThan(0);
    expect(await sessionOf(single)).not.toBe(first);
  });

  it('is never given to the next caller', async () => {
    const single = openPg({ url, poolSize: 1, statementTimeoutMs: 5_000 });
    onTestFinished(() => single.close());
    await faultOf(single.inTx(async (tx) => terminate(await sessionOf(tx))));
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('a connection to a server that takes no writes any more', () => {
  beforeAll(() => db.execute('create table written (word text)'));

  /** What a session is like that was made to a server which has become a standby, or was switched to reading. */
  async function openDemoted() {
    const single = openPg({ url, poolSize: 1, statementTimeoutMs: 5_000 });
    onTestFinished(() => single.close());
    await single.execute('set session characteristics as transaction read only');
    return { single, first: await sessionOf(single) };
  }

  it.each([
    ['a statement', (pool: Database) => pool.execute(`insert into written values ('alone')`)],
    ['a transaction', (pool: Database) => pool.inTx((tx) => tx.execute(`insert into written values ('in tx')`))],
  ])('means for %s that nothing happened, and is not used again', async (_, write) => {
    const { single, first } = await openDemoted();
    expect(await faultOf(write(single))).toBeInstanceOf(DatabaseUnavailable);
    expect(await sessionOf(single)).not.toBe(first);
    expect(await write(single)).toBe(1);
  });

  it('still reads until then', async () => {
    const { single, first } = await openDemoted();
    expect(await single.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await sessionOf(single)).toBe(first);
  });
});

describe('a server without room', () => {
  beforeAll(async () => {
    await db.execute('create table squeezed (word text)');
    await db.execute(`create function no_room() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = new.word; end $$`);
    await db.execute('create trigger no_room before insert on squeezed for each row execute function no_room()');
  });

  it.each([
    ['a full disk', '53100'],
    ['no memory', '53200'],
  ])('by %s means that nothing happened: neither the caller nor the program made a mistake', async (_, state) => {
    const insert = (queryable: Queryable) => queryable.query('insert into squeezed values ($1)', [state]);
    expect(await faultOf(insert(db))).toBeInstanceOf(DatabaseUnavailable);
    expect(await faultOf(db.inTx(insert))).toBeInstanceOf(DatabaseUnavailable);
    expect(await db.query('select 1 from squeezed')).toEqual([]);
  });
});

describe('a connection that cannot be had', () => {
  it.each([
    ['a statement', (nowhere: ReturnType<typeof openPg>) => nowhere.query('select 1')],
    ['a transaction', (nowhere: ReturnType<typeof openPg>) => nowhere.inTx(async () => 1)],
  ])('means for %s that nothing happened', async (_, work) => {
    const nowhere = openPg({ url: NOWHERE, poolSize: 1, statementTimeoutMs: 1_000 });
    onTestFinished(() => nowhere.close());
    expect(await faultOf(work(nowhere))).toBeInstanceOf(DatabaseUnavailable);
  });
});

describe('a commit', () => {
  beforeAll(async () => {
    await db.execute('create table slow_commits (id integer)');
    await db.execute(`create function be_slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(new.id); return null; end $$`);
    await db.execute(`create constraint trigger slow_commit after insert on slow_commits
      deferrable initially deferred for each row execute function be_slow()`);
  });

  it('without an answer is unknown', async () => {
    let committing: Promise<void> | undefined;
    const fault = await faultOf(
      db.inTx(async (tx) => {
        await tx.execute('insert into slow_commits values (20)');
        const pid = await sessionOf(tx);
        committing = untilRunning(pid, 'commit').then(() => terminate(pid));
      }),
    );
    await committing;
    expect(fault).toBeInstanceOf(CommitUnknown);
  });

  it('that the database refuses is unknown too, because a distributed one says so after it happened', async () => {
    await db.execute(`create table picky (id integer unique deferrable initially deferred)`);
    const fault = await faultOf(db.inTx((tx) => tx.execute('insert into picky values (1), (1)')));
    expect(fault).toBeInstanceOf(CommitUnknown);
    expect(fault).toMatchObject({ cause: { code: '23505' } });
  });

  it('that succeeds gives back what the work returned', async () => {
    expect(await db.inTx(async (tx) => tx.execute('insert into slow_commits values (0)'))).toBe(1);
    expect(await db.query('select id from slow_commits')).toEqual([{ id: 0 }]);
  });
});

describe('the pool', () => {
  it('tells how it stands, and gives all connections back', async () => {
    await faultOf(db.inTx((tx) => tx.query('select 1 / 0')));
    await db.inTx(async () => {
      const { total, idle } = db.pool();
      expect(total - idle).toBe(1);
    });
    const { total, idle, waiting } = db.pool();
    expect({ inUse: total - idle, waiting }).toEqual({ inUse: 0, waiting: 0 });
  });
});

describe('a pool that is closed', () => {
  const CONNECTIONS = 10;
  const connections = (application: string) =>
    other
      .query('select count(*)::int as left from pg_stat_activity where application_name = $1', [application])
      .then(({ rows }) => rows[0]?.left);

  it('has no session left at the server when it says so: whoever stops that next ends none of them', async () => {
    const named = `${url}${url.includes('?') ? '&' : '?'}application_name=closing`;
    for (let time = 0; time < 5; time += 1) {
      const faults: unknown[] = [];
      const many = openPg({
        url: named,
        poolSize: CONNECTIONS,
        statementTimeoutMs: 5_000,
        onIdleFault: (fault) => faults.push(fault),
      });
      await Promise.all(Array.from({ length: CONNECTIONS }, () => many.query('select pg_sleep(0.05)')));
      expect(await connections('closing')).toBe(CONNECTIONS);
      await many.close();
      expect(await connections('closing')).toBe(0);
      expect(faults).toEqual([]);
    }
  });
});
