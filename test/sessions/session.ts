/**
 * One database session that goes on only when it is told to: it stops before every statement and before its commit. The
 * statements that it sent are kept, so that the order of its locks can be looked at.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { present } from '../../server/src/kernel/assert.ts';
import { type Database, type SqlValue, sqlState, type Tx } from '../../server/src/kernel/database.ts';
import { openPg, type PgDatabase } from '../../server/src/storage/pg.ts';

interface Stop {
  readonly text: string;
  readonly go: () => Promise<void>;
  readonly giveUp: () => void;
}

/** A statement as it was sent. */
export interface Sent {
  readonly text: string;
  /** How many rows it has given, where it gives any. */
  rows?: number;
}

/** ready: stands before a statement. blocked: its statement waits for a lock that another session has. */
export type Standing = 'ready' | 'blocked' | 'ended';

const DEADLOCK = '40P01';
const STATEMENT_TIMEOUT_MS = 60_000;
/** Only how often we look; nothing is concluded from how long something takes. */
const LOOK_EVERY_MS = 2;
const MAX_LOOKS = 60_000;

export class Session {
  readonly name: string;
  readonly db: Database;
  /** Of each transaction, its statements in their order. */
  readonly transactions: Sent[][] = [];
  /** Those that the server resolved. There should be none: everybody locks in one order. */
  readonly deadlocks: unknown[] = [];
  readonly #pg: PgDatabase;
  readonly #stops: Stop[] = [];
  #pid = 0;
  #underWay: Promise<void> | undefined;
  #isEnded = true;
  #fault: { readonly fault: unknown } | undefined;

  constructor(name: string, url: string) {
    this.name = name;
    // One connection: what this session does, it does in one order.
    this.#pg = openPg({ url, poolSize: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    this.db = {
      query: (text, values) => this.#stopAt(text, () => this.#pg.query(text, values)),
      execute: (text, values) => this.#stopAt(text, () => this.#pg.execute(text, values)),
      inTx: (work) => this.#inTx(work),
      listen: this.#pg.listen,
      close: async () => undefined,
    };
  }

  /** Begins; it stops by itself before its first statement. */
  start(program: () => Promise<void>): void {
    this.#isEnded = false;
    this.#fault = undefined;
    this.transactions.length = 0;
    this.deadlocks.length = 0;
    program()
      .catch((fault: unknown) => {
        this.#fault = { fault };
      })
      .finally(() => {
        this.#isEnded = true;
      });
  }

  /** What the program threw; undefined: nothing. */
  get fault(): { readonly fault: unknown } | undefined {
    return this.#fault;
  }

  /** Lets the next statement go, and names it. */
  goOn(): string {
    const stop = this.#stops.shift();
    if (!stop) throw new Error(`${this.name} stands before nothing`);
    this.#underWay = stop.go().finally(() => {
      this.#underWay = undefined;
    });
    return stop.text;
  }

  /** Where it stands once it has gone as far as it can. */
  async standing(monitor: Pick<Database, 'query'>): Promise<Standing> {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      if (this.#underWay !== undefined) {
        await Promise.race([this.#underWay, sleep(LOOK_EVERY_MS)]);
        if (this.#underWay !== undefined && (await isBlocked(monitor, this.#pid))) return 'blocked';
        continue;
      }
      // What follows from the last answer is done first.
      await nextTurn();
      if (this.#isEnded) return 'ended';
      if (this.#underWay === undefined && this.#stops.length > 0) return 'ready';
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`${this.name} does not go on`);
  }

  close(): Promise<void> {
    return this.#pg.close();
  }

  #inTx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#pg.inTx(async (tx) => {
      const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      this.#pid = row?.pid ?? 0;
      const log: Sent[] = [];
      this.transactions.push(log);
      const stopAt = async <Result>(text: string, run: () => Promise<Result>) => {
        const sent: Sent = { text };
        log.push(sent);
        const result = await this.#stopAt(text, run);
        if (Array.isArray(result)) sent.rows = result.length;
        return result;
      };
      try {
        const result = await work({
          isTx: true,
          query: <Row extends object>(text: string, values?: readonly SqlValue[]) =>
            stopAt(text, () => tx.query<Row>(text, values)),
          execute: (text, values) => stopAt(text, () => tx.execute(text, values)),
          copy: (into, rows) => stopAt(into.copy, async () => present(await tx.copy?.(into, rows), 'rows that fit')),
        });
        await this.#stopAt('commit', async () => undefined);
        return result;
      } finally {
        // After a fault, what was to be sent beside the failed statement is not sent any more.
        for (const stop of this.#stops.splice(0)) stop.giveUp();
      }
    });
  }

  #stopAt<Result>(text: string, run: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#stops.push({
        text,
        go: () =>
          run().then(resolve, (fault: unknown) => {
            if (sqlState(fault) === DEADLOCK) this.deadlocks.push(fault);
            reject(fault);
          }),
        giveUp: () => reject(new Error('the transaction is over')),
      });
    });
  }
}

async function isBlocked(monitor: Pick<Database, 'query'>, pid: number): Promise<boolean> {
  const rows = await monitor.query<{ blocked: boolean }>(
    `select cardinality(pg_blocking_pids(a.pid)) > 0 as blocked
     from pg_stat_activity a
     where a.pid = $1::integer and a.wait_event_type = 'Lock'`,
    [pid],
  );
  return rows[0]?.blocked === true;
}
