import { expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { openPg } from './pg.ts';

const { db, url } = await freshDatabase();
const LONG_MS = 3_600_000;
/** More than the server plans anew each time before it keeps a plan. */
const USES = 8;
const FEW = 3;
const ROWS = 20_000;

/** Looks rows up in a table that is nearly empty, fills it, and tells how often it is read whole for one more look. */
async function wholeReads(table: string, plansKeptMs: number): Promise<number> {
  await db.execute(`create table ${table} (id integer primary key, name text not null)`);
  await db.execute(`alter table ${table} set (autovacuum_enabled = off)`);
  const fill = (from: number, to: number) =>
    db.execute(`insert into ${table} select n, 'name' from generate_series($1::integer, $2::integer) n`, [from, to]);
  await fill(1, FEW);
  await db.execute(`analyze ${table}`);
  const other = openPg({ url, poolSize: 1, statementTimeoutMs: 10_000, plansKeptMs });
  onTestFinished(() => other.close());
  const look = `select t.name from unnest($1::integer[]) u (id) join ${table} t on t.id = u.id`;
  for (let use = 0; use < USES; use += 1) await other.inTx((tx) => tx.query(look, [[1, 2, 3]]));
  await fill(FEW + 1, ROWS);
  return other.inTx(async (tx) => {
    const readWhole = async () => {
      const counts = 'select seq_scan from pg_stat_xact_user_tables where relname = $1';
      return Number((await tx.query<{ seq_scan: bigint }>(counts, [table]))[0]?.seq_scan);
    };
    const before = await readWhole();
    expect(await tx.query(look, [[1, 2, 3]])).toHaveLength(3);
    return (await readWhole()) - before;
  });
}

it('a look-up that was planned for an empty table is planned anew when the table has grown', async () => {
  expect(await wholeReads('followed', 0)).toBe(0);
  // Without it the plan of the beginning stays.
  expect(await wholeReads('left_alone', LONG_MS)).toBe(1);
});

it('plans are forgotten before a transaction begins that sees one moment', async () => {
  const other = openPg({ url, poolSize: 1, statementTimeoutMs: 10_000, plansKeptMs: 0 });
  onTestFinished(() => other.close());
  for (let use = 0; use < 2; use += 1) {
    const read = await other.inTx((tx) => tx.query('select 1 as one'), { seesOneMoment: true });
    expect(read).toEqual([{ one: 1 }]);
  }
});
