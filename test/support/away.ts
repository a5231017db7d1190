/** A database that is away when a transaction of that number is begun, and there before and after. */
import { type Database, DatabaseUnavailable } from '../../server/src/kernel/database.ts';

export function awayAt(db: Database, number: number): Database {
  let begun = 0;
  return {
    ...db,
    inTx: (work, options) => {
      begun += 1;
      return begun === number ? Promise.reject(new DatabaseUnavailable('away')) : db.inTx(work, options);
    },
  };
}
