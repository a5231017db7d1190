/**
 * Health. Live: the process answers. Ready: it can do its work now, so the database is asked each time, at most once a
 * second, and must take writes: one that was a primary before answers all the same. The secrets in it must open: a
 * process whose master key was replaced can prove no call. The clock must agree with it. A balancer that goes by this
 * sends calls only to processes that can serve them.
 */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Database, DatabaseUnavailable, type Tx } from '../kernel/database.ts';
import { within } from '../kernel/deadline.ts';
import { Problem } from './schemas/problem.ts';

type Phase = 'starting' | 'migrating' | 'running' | 'stopping';

const ASK_TIMEOUT_MS = 1_000;
const ANSWER_TTL_MS = 1_000;

interface ReadinessOptions {
  readonly nowMs?: () => number;
  /** Under the master key of this process. */
  readonly opensSecrets?: (tx: Tx) => Promise<boolean>;
  /** Undefined when the clock can be worked by. */
  readonly whyNotByClock?: () => Promise<string | undefined>;
}

export class Readiness {
  #phase: Phase = 'starting';
  #asked: { readonly whyNot: Promise<string | undefined>; readonly untilMs: number } | undefined;
  readonly #db: Database;
  readonly #nowMs: () => number;
  readonly #opensSecrets: (tx: Tx) => Promise<boolean>;
  readonly #whyNotByClock: () => Promise<string | undefined>;

  constructor(db: Database, options: ReadinessOptions = {}) {
    this.#db = db;
    this.#nowMs = options.nowMs ?? (() => performance.now());
    this.#opensSecrets = options.opensSecrets ?? (async () => true);
    this.#whyNotByClock = options.whyNotByClock ?? (async () => undefined);
  }

  enter(phase: Phase): void {
    this.#phase = phase;
  }

  get isStopping(): boolean {
    return this.#phase === 'stopping';
  }

  /** Undefined when ready, otherwise why not. */
  async whyNot(): Promise<string | undefined> {
    if (this.#phase !== 'running') return `the service is ${this.#phase}`;
    return (await this.#askDatabase()) ?? this.#whyNotByClock();
  }

  #askDatabase(): Promise<string | undefined> {
    const nowMs = this.#nowMs();
    if (this.#asked === undefined || this.#asked.untilMs <= nowMs) {
      this.#asked = { whyNot: whyNotServed(this.#db, this.#opensSecrets), untilMs: nowMs + ANSWER_TTL_MS };
    }
    return this.#asked.whyNot;
  }
}

const NO_ANSWER = 'the database does not answer';

class TakesNoWrites extends DatabaseUnavailable {}

const OTHER_KEY = 'the secrets in the database are stored under another master key: restart with that one';

async function whyNotServed(db: Database, opensSecrets: (tx: Tx) => Promise<boolean>): Promise<string | undefined> {
  try {
    return (await within(ASK_TIMEOUT_MS, () => askForWork(db, opensSecrets))) ? undefined : OTHER_KEY;
  } catch (fault) {
    return fault instanceof TakesNoWrites ? fault.message : NO_ANSWER;
  }
}

/**
 * Whether the secrets open. Throws what makes the pool drop the connection: no call comes while we are not ready, so
 * nothing else would.
 */
function askForWork(db: Database, opensSecrets: (tx: Tx) => Promise<boolean>): Promise<boolean> {
  return db.inTx(async (tx) => {
    const [row] = await tx.query<{ reads_only: boolean }>(
      "select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as reads_only",
    );
    if (row?.reads_only !== false) throw new TakesNoWrites('the database takes no writes');
    return opensSecrets(tx);
  });
}

/**
 * A connection that is kept open leads its next calls here, and would keep a stopping process waiting: its last answer
 * ends it.
 */
function endConnectionsWhenStopping(server: FastifyInstance, readiness: Readiness): void {
  let isClosing = false;
  server.addHook('preClose', async () => {
    isClosing = true;
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isClosing || readiness.isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

const Health = Type.Object({ status: Type.String() });

/** What a balancer goes by: the two routes, and an end to its connections when the process stops. */
export function healthRoutes(server: FastifyInstance, readiness: Readiness): void {
  endConnectionsWhenStopping(server, readiness);
  const config = { call: 'public' } as const;
  const schema = { response: { 200: Health, 503: Problem } };
  server.get('/health/live', { config, schema }, async () => ({ status: 'live' }));
  server.get('/health/ready', { config, schema }, async (_request, reply) => {
    const reason = await readiness.whyNot();
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).header('retry-after', '1').send({ status: 503, error: reason });
  });
}
