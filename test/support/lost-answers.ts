/**
 * A database whose answer to COMMIT can get lost, on a real one. After `happened` everything is stored, after
 * `undone` nothing is; the program cannot tell the two apart and has to find out.
 */
import { CommitUnknown, type Database, type Tx } from '../../server/src/kernel/database.ts';

export type Loss = 'happened' | 'undone' | undefined;

class Undone extends Error {}

/** Asks at each commit what becomes of it; undefined: nothing goes wrong. */
export function losingAnswers(db: Database, nextLoss: () => Loss): Database {
  return {
    query: db.query,
    execute: db.execute,
    listen: db.listen,
    close: db.close,
    inTx: async <T>(work: (tx: Tx) => Promise<T>) => {
      let loss: Loss;
      try {
        const result = await db.inTx(async (tx) => {
          const answer = await work(tx);
          loss = nextLoss();
          if (loss === 'undone') throw new Undone();
          return answer;
        });
        if (loss === undefined) return result;
      } catch (fault) {
        if (!(fault instanceof Undone)) throw fault;
      }
      throw new CommitUnknown('the answer to COMMIT got lost');
    },
  };
}

/** The losses in their order, one for each commit, and none after them. */
export function inTurn(...losses: readonly Loss[]): () => Loss {
  const left = [...losses];
  return () => left.shift();
}
