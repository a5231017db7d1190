/** A database whose statements give up sooner than the program's do, for tests of rows that somebody keeps. */
import type { Database } from '../../server/src/kernel/database.ts';

const PATIENCE = '300ms';

export function hastyOf(db: Database): Database {
  return {
    ...db,
    inTx: (work) =>
      db.inTx(async (tx) => {
        await tx.execute(`set local statement_timeout = '${PATIENCE}'`, []);
        return work(tx);
      }),
  };
}
