/**
 * Statistics for tables that grow quickly. Without any the planner takes every index that begins with the account for
 * equally good, and may read all rows of an account to find one by its id. The server looks for itself only once a
 * minute, which is long for a table that was empty when the first payouts came.
 */
import type { Database } from '../kernel/database.ts';

export const LOOK_EVERY_MS = 5_000;

/** Below this many changed rows any plan will do. */
const FEW_CHANGES = 500;
/** Analyzed again when so many rows were changed as there were: the smaller steps are left to the server. */
const GROWTH = 1;
/** A tenth of what the server takes by itself: it reads 3,000 rows, which is enough to tell one index from another. */
const COARSE = 10;
/** One process does it at a time; the others find nothing to do next time. */
const ADVISORY_LOCK = 7_306_514;

/** Gives the tables that were analyzed. New statistics make the server plan anew whatever reads these tables. */
export function refreshStatistics(db: Database): Promise<string[]> {
  return db.inTx(async (tx) => {
    const rows = await tx.query<{ name: string }>(
      `select format('%I.%I', s.schemaname, s.relname) as name
       from pg_stat_user_tables s
       join pg_class c on c.oid = s.relid
       where s.schemaname = current_schema()
         and s.n_mod_since_analyze > $1::integer + $2::integer * greatest(c.reltuples, 0)
         and pg_catalog.pg_has_role(c.relowner, 'usage')
         and pg_try_advisory_xact_lock($3::bigint)
       order by s.relid`,
      [FEW_CHANGES, GROWTH, ADVISORY_LOCK],
    );
    const names = rows.map((row) => row.name);
    if (names.length > 0) await tx.execute(`set local default_statistics_target = ${COARSE}`);
    for (const name of names) await tx.execute(`analyze ${name}`);
    return names;
  });
}
