/** A database whose administrator has given it settings of its own, as `alter database` and `alter role` do. */
import pg from 'pg';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { DatabaseUnavailable, sqlState } from '../kernel/database.ts';
import { openPg, type PgDatabase } from './pg.ts';

const { db, url } = await freshDatabase();

/** Sessions that begin from now on have them. */
async function openWith(setting: string, value: string): Promise<PgDatabase> {
  const [row] = await db.query<{ database: string }>('select current_database() as database');
  const database = pg.escapeIdentifier(row?.database ?? '');
  await db.execute(`alter database ${database} set ${setting} to ${pg.escapeLiteral(value)}`);
  const opened = openPg({ url, poolSize: 2, statementTimeoutMs: 300 });
  onTestFinished(async () => {
    await opened.close();
    await db.execute(`alter database ${database} reset ${setting}`);
  });
  return opened;
}

beforeAll(async () => {
  await db.execute('create table watched (n integer)');
  await db.execute('insert into watched values (1)');
});

describe('whatever a database has set for its sessions', () => {
  it.each(['SQL, DMY', 'German', 'Postgres'])(
    'times and dates are read as they are, of style %s too',
    async (style) => {
      const other = await openWith('datestyle', style);
      const read = `select '2026-11-18T09:08:07.123Z'::timestamptz as at, '1990-05-17'::date as day`;
      expect(await other.query(read)).toEqual([{ at: new Date('2026-11-18T09:08:07.123Z'), day: '1990-05-17' }]);
    },
  );

  it.each(['repeatable read', 'serializable'])(
    'a statement sees what was committed before it, with %s too',
    async (level) => {
      const other = await openWith('default_transaction_isolation', level);
      await other.inTx(async (tx) => {
        const [before] = await tx.query<{ n: number }>('select n from watched');
        await db.execute('update watched set n = n + 1');
        expect(await tx.query('select n from watched')).toEqual([{ n: (before?.n ?? 0) + 1 }]);
      });
    },
  );

  it('a transaction that sees one moment sees nothing that is committed behind its first look, and writes nothing', async () => {
    const one = { seesOneMoment: true };
    await db.inTx(async (tx) => {
      const before = await tx.query('select n from watched');
      await db.execute('update watched set n = n + 1');
      expect(await tx.query('select n from watched')).toEqual(before);
    }, one);
    const write = db.inTx((tx) => tx.execute('update watched set n = 0'), one);
    await expect(write).rejects.toMatchObject({ cause: { code: '25006' } });
  });

  it('a row that somebody keeps is waited for as long as a statement may take', async () => {
    const other = await openWith('lock_timeout', '10ms');
    await db.inTx(async (tx) => {
      await tx.execute('update watched set n = n + 1');
      const waited = await other.execute('update watched set n = 0').catch(sqlState);
      expect(waited).toBe('57014');
    });
  });
});

describe('a session that the server ends because it', () => {
  it.each([
    ['rested for too long', '57P05'],
    ['was in one transaction for too long', '25P04'],
  ])('%s has done nothing', async (_, state) => {
    const end = `do $$ begin raise exception using errcode = '${state}'; end $$`;
    await expect(db.execute(end)).rejects.toThrow(DatabaseUnavailable);
    await expect(db.inTx((tx) => tx.execute(end))).rejects.toThrow(DatabaseUnavailable);
  });
});
