/** The plans of statements that a store sends, made for all values as the server keeps them after a few uses. */
import type { Database, SqlValue, Tx } from '../../server/src/kernel/database.ts';

/** Runs the work and gives the plans of what it has read, with how many rows each part of them had. */
export function keptPlans(db: Database, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  return db.inTx(async (tx) => {
    await tx.execute('set local plan_cache_mode = force_generic_plan');
    const plans: string[] = [];
    const query = async (text: string, values: readonly SqlValue[] = []) => {
      await tx.execute(`prepare looked_at as ${text}`);
      const given = values.map((value) => `'${asText(value)}'`).join(', ');
      const lines = await tx.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, timing off, summary off, buffers off) execute looked_at (${given})`,
      );
      await tx.execute('deallocate looked_at');
      plans.push(...lines.map((line) => line['QUERY PLAN']));
      return tx.query(text, values);
    };
    await work({ ...tx, query } as unknown as Tx);
    return plans.join('\n');
  });
}

/** The most rows that a part of these plans has read for nothing. */
export function rowsPassedOver(plans: string): number {
  return Math.max(0, ...[...plans.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows)));
}

function asText(value: SqlValue): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}
