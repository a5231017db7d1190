/**
 * The Database port on PGlite: PostgreSQL in this process and in memory, for tests of the port and of what its faults do
 * to a batch. It has one session, so transactions take turns, and faults are put in on purpose: between statements, at
 * the commit, and after it. The simulation has an adapter of its own (simulate/database/port.ts).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PGlite, Results } from '@electric-sql/pglite';
import { assert } from '../../server/src/kernel/assert.ts';
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type SqlValue,
  type Tx,
} from '../../server/src/kernel/database.ts';
import { openMigrated } from '../../simulate/database/migrated-pglite.ts';

/** Each is asked at its moment and says what happens then; undefined: nothing. */
export interface Faults {
  /** The connection breaks before the statement, or the server ends the transaction to resolve a deadlock. */
  readonly beforeStatement?: (text: string) => 'lost' | 'deadlock' | undefined;
  /** The connection breaks before COMMIT arrives: nothing is stored. */
  readonly beforeCommit?: () => 'lost' | undefined;
  /** The connection breaks after COMMIT was done: everything is stored, and only the answer is lost. */
  readonly afterCommit?: () => 'lost' | undefined;
}

export interface PgliteDatabase extends Database {
  /** From now on; an empty object ends it. */
  inject(faults: Faults): void;
  /** Empties every table but the history of migrations. Starting anew costs seconds, this milliseconds. */
  clear(): Promise<void>;
}

const INT8 = 20;
const DATE = 1082;
const BYTEA = 17;

/** The same values as storage/pg.ts gives. Arrays follow their elements. */
const PARSERS = {
  [INT8]: BigInt,
  [DATE]: String,
  [BYTEA]: (hex: string) => Buffer.from(hex.slice('\\x'.length), 'hex'),
};

/** Raised by the server itself, so that the transaction is truly aborted. */
const RAISE_DEADLOCK = `do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`;

/** A transaction that is under way. */
interface OpenTx {
  isOpen: boolean;
  isLost: boolean;
}

export async function openPglite(): Promise<PgliteDatabase> {
  const lite = await openMigrated({ parsers: PARSERS });
  return new PgliteSession(lite);
}

class PgliteSession implements PgliteDatabase {
  readonly #lite: PGlite;
  readonly #inside = new AsyncLocalStorage<OpenTx>();
  #faults: Faults = {};
  #turn: Promise<unknown> = Promise.resolve();

  constructor(lite: PGlite) {
    this.#lite = lite;
  }

  inject(faults: Faults): void {
    this.#faults = faults;
  }

  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]> {
    return this.#takeTurn(async () => (await this.#run<Row>(text, values)).rows);
  }

  execute(text: string, values?: readonly SqlValue[]): Promise<number> {
    return this.#takeTurn(async () => (await this.#run(text, values)).rowCount ?? 0);
  }

  inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#takeTurn(async () => {
      await this.#lite.query('begin');
      const open: OpenTx = { isOpen: true, isLost: false };
      let result: T;
      try {
        result = await this.#inside.run(open, () => work(this.#txOn(open)));
      } catch (fault) {
        await this.#lite.query('rollback');
        throw fault;
      } finally {
        open.isOpen = false;
      }
      await this.#commit(open);
      return result;
    });
  }

  async listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>> {
    let isListening = true;
    // In a turn of the event loop of its own, as a message from a network would come.
    const stop = this.#lite.onNotification((name, payload) => {
      if (name === channel) setImmediate(() => isListening && onNotify(payload));
    });
    await this.#takeTurn(() => this.#lite.exec(`listen "${channel.replaceAll('"', '""')}"`));
    return async () => {
      isListening = false;
      stop();
    };
  }

  async clear(): Promise<void> {
    await this.#takeTurn(async () => {
      const { rows } = await this.#lite.query<{ names: string }>(
        `select string_agg(format('%I', c.relname), ', ') as names from pg_class c
         where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
           and c.relname <> 'schema_migrations'`,
      );
      // As a replica the server does not run the triggers that keep tables append-only.
      await this.#lite.exec(
        `set session_replication_role = replica; truncate ${rows[0]?.names}; set session_replication_role = origin`,
      );
    });
  }

  close(): Promise<void> {
    return this.#takeTurn(() => this.#lite.close());
  }

  #takeTurn<T>(work: () => Promise<T>): Promise<T> {
    assert(!this.#inside.getStore()?.isOpen, 'inside of a transaction only the transaction is asked');
    const turn = this.#turn.then(() => {
      if (this.#lite.closed) throw new DatabaseUnavailable('closed');
      return work();
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  #txOn(open: OpenTx): Tx {
    return {
      isTx: true,
      query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
        (await this.#run<Row>(text, values, open)).rows,
      execute: async (text, values) => (await this.#run(text, values, open)).rowCount ?? 0,
    };
  }

  async #run<Row>(text: string, values: readonly SqlValue[] = [], open?: OpenTx): Promise<Results<Row>> {
    assert(open?.isOpen !== false, 'a statement belongs to a transaction that is open');
    const fault = open?.isLost ? 'lost' : this.#faults.beforeStatement?.(text);
    if (fault === 'deadlock') await this.#lite.exec(RAISE_DEADLOCK);
    if (fault === 'lost') {
      if (open) await this.#lose(open);
      throw new DatabaseUnavailable('the connection to the database was lost');
    }
    return this.#lite.query<Row>(text, [...values]);
  }

  /** The server rolls back what a lost connection had begun. */
  async #lose(open: OpenTx): Promise<void> {
    if (open.isLost) return;
    // First of all, so that a statement which was started together with this one does not run on its own.
    open.isLost = true;
    await this.#lite.query('rollback');
  }

  async #commit(open: OpenTx): Promise<void> {
    if (open.isLost || this.#faults.beforeCommit?.() === 'lost') {
      await this.#lose(open);
      throw new CommitUnknown('no clear answer to COMMIT');
    }
    const { command } = await this.#lite.query('commit').catch((fault) => {
      throw new CommitUnknown('no clear answer to COMMIT', { cause: fault });
    });
    assert(command === 'COMMIT', 'a transaction with a failed statement reached its commit');
    if (this.#faults.afterCommit?.() === 'lost') throw new CommitUnknown('no clear answer to COMMIT');
  }
}
