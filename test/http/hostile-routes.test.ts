/** Bad calls of every endpoint of the service: each gets a clear answer, and nothing is stored but the record of it. */
import { describe, expect, it } from 'vitest';
import { openApiLogWriter } from '../../server/src/api-logs/writer.ts';
import { recordCalls } from '../../server/src/http/record-calls.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { create } from '../support/transactions.ts';
import { type Description, hostileCalls } from './hostile-calls.ts';
import { randomFrom } from './hostile-requests.ts';

/** `HOSTILE_REQUESTS=10000` is the full count. A failure names the seed of its request. */
const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? 500);
const FIRST_SEED = Number(process.env['HOSTILE_SEED'] ?? 1);
const AT_ONCE = 16;
const TIMEOUT_MS = 60_000 + 40 * REQUESTS;

const { db } = await freshDatabase();
const flushes: (() => Promise<void>)[] = [];
const app = await startApp({
  db,
  flags: { httpBodyLimitBytes: '65536' },
  before: (ctx) => {
    const logs = openApiLogWriter(ctx);
    flushes.push(() => logs.flush());
    return [recordCalls(ctx, logs)];
  },
});
const { caller } = await app.newAccount({ balances: { USD: 1_000_000n } });
await create(caller);
await caller.post('/sandbox/clock', { seconds: 0 });
const description: Description = JSON.parse(await (await fetch(`${app.baseUrl}/openapi.json`)).text());
const hostileCall = hostileCalls(description);

/** How many rows each table has; the nonces of authentic calls are no part of it. */
async function storedRows(): Promise<Map<string, number>> {
  for (const flush of flushes) await flush();
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'nonces%'`,
  );
  const counts = new Map<string, number>();
  for (const { name } of tables) {
    const [row] = await db.query<{ count: bigint }>(`select count(*) as count from ${name}`);
    counts.set(name, Number(row?.count));
  }
  return counts;
}

describe('hostile calls of every endpoint', () => {
  it(`are answered without a 5xx and store only their API logs (${REQUESTS} of them)`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const before = await storedRows();
    const met = new Map<string, number>();
    const send = async (seed: number) => {
      const { method, path, options } = hostileCall(randomFrom(seed));
      const answer = await caller.send(method, path, undefined, options);
      const what = `seed ${seed}: ${method} ${path} ${answer.text.slice(0, 500)}`;
      expect(answer.status, what).toBeLessThan(500);
      expect(answer.headers['x-request-id'], what).toBeDefined();
      const isWriting = method !== 'GET';
      if (isWriting) expect(answer.status, what).toBeGreaterThanOrEqual(mayBeGood(path) ? 200 : 400);
      met.set(String(answer.status), (met.get(String(answer.status)) ?? 0) + 1);
    };
    for (let first = FIRST_SEED; first < FIRST_SEED + REQUESTS; first += AT_ONCE) {
      const last = Math.min(first + AT_ONCE, FIRST_SEED + REQUESTS);
      await Promise.all(Array.from({ length: last - first }, (_, index) => send(first + index)));
    }
    // The generator must reach all of these, or it proves less than it says.
    expect([...met.keys()]).toEqual(expect.arrayContaining(['200', '400', '401', '404', '415', '422']));
    const after = await storedRows();
    expect(after.get('api_logs')).toBeGreaterThan(before.get('api_logs') ?? 0);
    expect(new Map([...after, ['api_logs', 0]])).toEqual(new Map([...before, ['api_logs', 0]]));
    expect(app.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect((await caller.get('/v1/accounts')).status).toBe(200);
  });
});

/** These may answer 200: prices keep nothing, and any small number is a good one for the clock of the sandbox. */
function mayBeGood(path: string): boolean {
  return /^\/(v1\/transactions\/(calculate|validate)|sandbox\/clock)/.test(path);
}
