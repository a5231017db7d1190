import { beforeAll, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { refreshStatistics } from './statistics.ts';

const { db } = await freshDatabase();
const MANY = 2_000;
const FEW = 100;

const fill = (table: string, rows: number) =>
  db.execute(`insert into ${table} (name) select 'name ' || n from generate_series(1, $1::integer) n`, [rows]);

/** What the server has counted, once it has done so: sessions tell it a moment after their commits. */
async function analyzed(table: string): Promise<readonly string[]> {
  await db.execute('select pg_stat_force_next_flush()');
  await fill(table, 1);
  return refreshStatistics(db);
}

beforeAll(async () => {
  for (const table of ['grown', 'small', 'known']) {
    await db.execute(`create table ${table} (name text not null)`);
    await db.execute(`alter table ${table} set (autovacuum_enabled = off)`);
  }
});

it('a table that has grown from nothing gets statistics, a small one is left to the server', async () => {
  await fill('grown', MANY);
  await fill('small', FEW);
  await expect.poll(() => analyzed('small')).toEqual(['public.grown']);
  const [row] = await db.query<{ rows: number }>(
    `select reltuples::integer as rows from pg_class where relname = 'grown'`,
  );
  expect(row?.rows).toBe(MANY);
});

it('is done again when it has doubled, not for every row that is added', async () => {
  await fill('known', MANY);
  await expect.poll(() => analyzed('known')).toEqual(['public.known']);
  await fill('known', MANY / 2);
  await expect.poll(() => modified('known')).toBeGreaterThanOrEqual(MANY / 2);
  expect(await refreshStatistics(db)).toEqual([]);
  await fill('known', MANY * 2);
  await expect.poll(() => analyzed('known')).toEqual(['public.known']);
});

async function modified(table: string): Promise<number> {
  await db.execute('select pg_stat_force_next_flush()');
  const [row] = await db.query<{ count: number }>(
    `select n_mod_since_analyze::integer as count from pg_stat_user_tables where relname = $1`,
    [table],
  );
  return row?.count ?? 0;
}
