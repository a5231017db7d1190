/**
 * Health. Live: the process answers. Ready: it can do its work now, so the database is asked each time, at most once a
 * second. A balancer that goes by this sends calls only to processes that can serve them.
 */
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../kernel/database.ts';
import { Problem } from './schemas/problem.ts';

export type Phase = 'starting' | 'migrating' | 'running' | 'stopping';

const ASK_TIMEOUT_MS = 1_000;
const ANSWER_TTL_MS = 1_000;

export class Readiness {
  #phase: Phase = 'starting';
  #asked: { readonly answer: Promise<boolean>; readonly untilMs: number } | undefined;
  readonly #db: Database;
  readonly #nowMs: () => number;

  constructor(db: Database, nowMs: () => number = () => performance.now()) {
    this.#db = db;
    this.#nowMs = nowMs;
  }

  enter(phase: Phase): void {
    this.#phase = phase;
  }

  /** Undefined when ready, otherwise why not. */
  async whyNot(): Promise<string | undefined> {
    if (this.#phase !== 'running') return `the service is ${this.#phase}`;
    return (await this.#databaseAnswers()) ? undefined : 'the database does not answer';
  }

  #databaseAnswers(): Promise<boolean> {
    const nowMs = this.#nowMs();
    if (this.#asked === undefined || this.#asked.untilMs <= nowMs) {
      this.#asked = { answer: answers(this.#db), untilMs: nowMs + ANSWER_TTL_MS };
    }
    return this.#asked.answer;
  }
}

async function answers(db: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ASK_TIMEOUT_MS, false);
  });
  const asked = db.query('select 1 as one').then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

const Health = Type.Object({ status: Type.String() });

export function healthRoutes(server: FastifyInstance, readiness: Readiness): void {
  const config = { call: 'public' } as const;
  const schema = { response: { 200: Health, 503: Problem } };
  server.get('/health/live', { config, schema }, async () => ({ status: 'live' }));
  server.get('/health/ready', { config, schema }, async (_request, reply) => {
    const reason = await readiness.whyNot();
    if (reason === undefined) return { status: 'ready' };
    return reply.code(503).header('retry-after', '1').send({ status: 503, error: reason });
  });
}
