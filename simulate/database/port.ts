/**
 * The Database port of one simulated process. Faults come at the moments at which a real connection has them, and when
 * the process dies nothing of it reaches the database any more: what it had begun is rolled back, and whoever waited in
 * it waits for ever, as in a process that is gone.
 */
import { assert } from '../../server/src/kernel/assert.ts';
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  type Tx,
} from '../../server/src/kernel/database.ts';
import type { DatabaseHost } from './host.ts';

/** Where something can go wrong. */
export type Moment = 'statement' | 'locking' | 'commit' | 'committed';
/** `lost`: the connection breaks. `deadlock`: the server ends the transaction. `crash`: the process dies. */
export type Mishap = 'lost' | 'deadlock' | 'crash';

export interface Mortal {
  readonly isAlive: boolean;
  readonly isAsleep: boolean;
  /** Resolves when it is awake, or dead. */
  awake(): Promise<void>;
  /** Rejects when the process dies. */
  readonly death: Promise<never>;
  /** What goes wrong now, if anything. A crash has happened when this returns. */
  mishapAt(moment: Moment): Mishap | undefined;
}

/** Raised by the server itself, so that the transaction is truly aborted. */
const RAISE_DEADLOCK = `do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`;
/** Statements that wait for others: what only reads is never chosen to end a deadlock. */
const LOCKS = /\bfor (no key )?update\b|^\s*(insert|update|delete)\b/i;
const known = new Map<string, Moment>();

/** By its text: the same ones come again and again. */
function momentOf(text: string): Moment {
  const seen = known.get(text);
  if (seen !== undefined) return seen;
  const moment = LOCKS.test(text) ? 'locking' : 'statement';
  known.set(text, moment);
  return moment;
}

const LOST = 'the connection to the database was lost';

interface OpenTx {
  isOpen: boolean;
  isLost: boolean;
}

export class ProcessDatabase implements Database {
  readonly #host: DatabaseHost;
  readonly #process: Mortal;

  constructor(host: DatabaseHost, process: Mortal) {
    this.#host = host;
    this.#process = process;
  }

  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]> {
    return this.#whileAlive(async () => this.#run<Row>(text, values).rows);
  }

  execute(text: string, values?: readonly SqlValue[]): Promise<number> {
    return this.#whileAlive(async () => this.#run(text, values).count);
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#whileAlive(async () => {
      this.#host.engine.begin();
      const open: OpenTx = { isOpen: true, isLost: false };
      let result: T;
      try {
        result = await Promise.race([work(this.#txOn(open)), this.#process.death]);
      } catch (fault) {
        this.#rollBack(open);
        throw fault;
      } finally {
        open.isOpen = false;
      }
      this.#commit(open);
      return result;
    });
  }

  /** Nothing is told between processes here: every wake-up by the database is lost, and they find out by looking. */
  async listen(): Promise<() => Promise<void>> {
    return async () => undefined;
  }

  async close(): Promise<void> {}

  /**
   * What a dead process asks for is never done, and what it had asked for is never answered. One that is asleep hears
   * when it is awake; a transaction that it has begun comes to its end before.
   */
  async #whileAlive<T>(work: () => Promise<T>): Promise<T> {
    const process = this.#process;
    if (!process.isAlive) return never();
    try {
      const result = await this.#host.exclusive(() => (process.isAlive ? work() : never<T>('at once')));
      if (process.isAsleep) await process.awake();
      return process.isAlive ? result : await never<T>();
    } catch (fault) {
      if (process.isAsleep) await process.awake();
      if (!process.isAlive) return never();
      throw fault;
    }
  }

  #txOn(open: OpenTx): Tx {
    return {
      isTx: true,
      query: <Row extends object>(text: string, values?: readonly SqlValue[]) =>
        this.#answer(() => this.#run<Row>(text, values, open).rows),
      execute: (text, values) => this.#answer(() => this.#run(text, values, open).count),
    };
  }

  /** The statement is done at once; a process that died of it hears nothing. */
  async #answer<T>(statement: () => T): Promise<T> {
    try {
      const result = statement();
      if (this.#process.isAlive) return result;
    } catch (fault) {
      if (this.#process.isAlive) throw fault;
    }
    return never();
  }

  #run<Row extends object>(text: string, values?: readonly SqlValue[], open?: OpenTx): { rows: Row[]; count: number } {
    assert(open?.isOpen !== false, 'a statement belongs to a transaction that is open');
    if (open?.isLost) throw new DatabaseUnavailable(LOST);
    const mishap = this.#process.mishapAt(open ? momentOf(text) : 'statement');
    if (mishap === 'deadlock' && open) this.#host.engine.run(RAISE_DEADLOCK);
    if (mishap !== undefined) {
      if (open) this.#rollBack(open);
      throw new DatabaseUnavailable(LOST);
    }
    const { rows, count } = this.#host.engine.run(text, values);
    return { rows: rows as Row[], count };
  }

  /** The server rolls back what a lost connection had begun; what comes after it on the same connection is lost too. */
  #rollBack(open: OpenTx): void {
    if (open.isLost) return;
    open.isLost = true;
    this.#host.engine.end('rollback');
  }

  #commit(open: OpenTx): void {
    if (open.isLost || this.#process.mishapAt('commit') !== undefined) {
      this.#rollBack(open);
      throw new CommitUnknown('no clear answer to COMMIT');
    }
    const { engine } = this.#host;
    const { hasFailed } = engine;
    try {
      engine.end('commit');
    } catch (fault) {
      throw new CommitUnknown('no clear answer to COMMIT', { cause: fault });
    }
    assert(!hasFailed, 'a transaction with a failed statement reached its commit');
    if (this.#process.mishapAt('committed') !== undefined) throw new CommitUnknown('no clear answer to COMMIT');
  }
}

/** Waits for ever; or, where others wait for their turn behind it, fails at once, heard by nobody. */
function never<T>(how?: 'at once'): Promise<T> {
  return how === 'at once' ? Promise.reject(new DatabaseUnavailable(LOST)) : new Promise<T>(() => undefined);
}
