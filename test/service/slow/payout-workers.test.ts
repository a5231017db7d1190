/**
 * Several worker processes on one PostgreSQL: a backlog is shared and each payout is sent once; and when one of them is
 * killed in the middle of it, every funded payout still ends, and nobody is paid twice. Reduced counts; `npm run prove`
 * has the full ones.
 */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { RunningProgram } from '../../../prove/running-program.ts';
import { present } from '../../../server/src/kernel/assert.ts';
import { verifyLedger } from '../../../server/src/ledger/verify.ts';
import { openPg, type PgDatabase } from '../../../server/src/storage/pg.ts';
import { databaseUrl } from '../../support/database-url.ts';
import { until } from '../../support/until.ts';
import { createPayout, fundPayout } from '../calls.ts';
import { openPrograms } from '../programs.ts';

const BACKLOG = Number(process.env['WORKER_BACKLOG'] ?? 60);
const KILLS = Number(process.env['WORKER_KILLS'] ?? 1);
const CALLERS = 8;
const AMOUNT = 1;
/** A full run takes minutes. */
const LIMIT_MS = 3_600_000;
/** A kill finds calls under way, and what it leaves behind is taken up soon. */
const PACE = {
  PAYFERRY_PAYOUTS_LEASE: '5s',
  PAYFERRY_PROVIDERS_CALL_TIMEOUT: '1s',
  PAYFERRY_VALIDATION_CALL_TIMEOUT: '1s',
  PAYFERRY_SANDBOX_LATENCY: '300ms',
  PAYFERRY_PAYOUTS_CALLS_IN_FLIGHT: '8',
  // Of the questions that a kill leaves, two are asked at a time.
  PAYFERRY_PAYOUTS_ASK_FIRST: '1s',
};

const programs = openPrograms();
vi.setConfig({ testTimeout: LIMIT_MS });
let db: PgDatabase;
let api: RunningProgram;
let start: () => Promise<RunningProgram>;
/** Those of the first test work on in the second. */
let workers: RunningProgram[] = [];

beforeAll(async () => {
  const url = await emptyDatabase();
  const env = { ...PACE, DATABASE_URL: url, PAYFERRY_MASTER_KEY: randomBytes(32).toString('hex') };
  api = await programs.start(await programs.newDirectory(), { env, flags: ['--role', 'api'] });
  start = async () => programs.start(await programs.newDirectory(), { env });
  db = openPg({ url, poolSize: 2, statementTimeoutMs: 20_000 });
  return () => db.close();
});

async function emptyDatabase(): Promise<string> {
  const name = `${inject('templateName')}_workers_${process.pid}`;
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  // Where the socket stands in the query, a host before it makes the address a URL too.
  return databaseUrl(inject('serverUrl'), name).replace('@/', '@localhost/');
}

async function fundMany(count: number): Promise<void> {
  let left = count;
  const call = async () => {
    while (left > 0) {
      left -= 1;
      const { status, text } = await fundPayout(api.caller, await createPayout(api.caller, AMOUNT));
      expect(status, text).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}

async function countOf(where: string): Promise<number> {
  const rows = await db.query<{ count: bigint }>(`select count(*) as count from transactions where ${where}`);
  return Number(rows[0]?.count ?? 0n);
}

/** Attempts that were made, and the most that one recipient has. */
async function attempts() {
  const rows = await db.query<{ made: bigint; most: number }>(
    'select count(*) as made, coalesce(max(number), 0) as most from payout_attempts',
  );
  return { made: Number(rows[0]?.made ?? 0n), most: rows[0]?.most };
}

/** How many orders that process has sent, as its own count of calls says. */
async function sentBy(program: RunningProgram): Promise<number> {
  const address = /Operators\s+(\S+)\/operator/.exec(program.output())?.[1];
  const { token }: { token: string } = JSON.parse(await readFile(join(api.dataDir, 'operator.json'), 'utf8'));
  const answer = await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  const lines = text.split('\n').filter((line) => /^payferry_provider_answers_total\{.*call="submit"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('two workers on one database', () => {
  it('share a backlog, and send each payout once', async () => {
    await fundMany(BACKLOG);
    expect(await attempts()).toEqual({ made: 0, most: 0 });
    workers = await Promise.all([start(), start()]);
    await until('the backlog is paid', async () => (await countOf("state <> 'paid'")) === 0);
    expect(await attempts()).toEqual({ made: BACKLOG, most: 1 });
    const sent = await Promise.all(workers.map(sentBy));
    expect(sent.reduce((sum, each) => sum + each, 0)).toBe(BACKLOG);
    for (const each of sent) expect(each).toBeGreaterThan(0);
    expect((await verifyLedger(db)).differences).toEqual([]);
  });

  it('of which one is killed: every payout still ends, and none has a second attempt', async () => {
    const before = await countOf('true');
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const victim = present(workers.pop(), 'a worker');
      const done = await countOf("state = 'paid'");
      await fundMany(BACKLOG);
      await until('some are paid', async () => (await countOf("state = 'paid'")) > done);
      expect(await countOf('is_claimed')).toBeGreaterThan(0);
      await victim.kill();
      await until('all are paid', async () => (await countOf("state <> 'paid'")) === 0);
      if (kill < KILLS) workers.push(await start());
    }
    const all = before + KILLS * BACKLOG;
    expect([await countOf("state = 'paid'"), await attempts()]).toEqual([all, { made: all, most: 1 }]);
    expect((await verifyLedger(db)).differences).toEqual([]);
  });
});
