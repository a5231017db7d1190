/** How the server has done a statement that changes rows: its plan, with how often each part of it was run. */
import type { Database, SqlValue, Tx } from '../../server/src/kernel/database.ts';

interface PlannedChange {
  readonly plan: string;
  /** How many rows it has changed. Nothing of it is kept. */
  readonly changed: number;
}

class TakenBack extends Error {}

export async function planOfChange(db: Database, work: (tx: Tx) => Promise<unknown>): Promise<PlannedChange> {
  const lines: string[] = [];
  let changed = 0;
  const explained = async (tx: Tx) => {
    const execute = async (text: string, values?: readonly SqlValue[]) => {
      await tx.execute('savepoint before_it');
      const plan = await tx.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, timing off, summary off, buffers off) ${text}`,
        values,
      );
      lines.push(...plan.map((line) => line['QUERY PLAN']));
      await tx.execute('rollback to before_it');
      changed = await tx.execute(text, values);
      return changed;
    };
    await work({ ...tx, execute });
    throw new TakenBack();
  };
  await db.inTx(explained).catch((fault: unknown) => {
    if (!(fault instanceof TakenBack)) throw fault;
  });
  return { plan: lines.join('\n'), changed };
}
