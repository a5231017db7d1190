/** The time of the database's machine, which all processes share. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';

/** At this moment, not at the beginning of the transaction. */
export async function databaseTimeMs(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::double precision as now_ms',
  );
  return present(row, 'the time of the database').now_ms;
}
