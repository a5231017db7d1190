/** Whatever is sent, the service answers with a clear 4xx, stays up and stores nothing but the nonce. */
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, startEdge } from './edge.ts';
import { hostileRequest, type Random, randomFrom } from './hostile-requests.ts';

/** `HOSTILE_REQUESTS=10000` is the full count. A failure names the seed of its request. */
const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? 500);
const FIRST_SEED = Number(process.env['HOSTILE_SEED'] ?? 1);
const AT_ONCE = 16;
const TIMEOUT_MS = 30_000 + 20 * REQUESTS;

const { db } = await freshDatabase();
const account = await makeAccount(db);
const edge = await startEdge({ db, routes: [echoRoutes(db)], flags: { httpBodyLimitBytes: '65536' } });
const caller = callerOf(edge, account);

/** Rows of each table but those of the nonces. */
async function storedRows(): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and c.relname not like 'nonces%' order by 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) counts[name] = (await db.query(`select 1 from ${name}`)).length;
  return counts;
}

async function forEachSeed(work: (seed: number) => Promise<void>): Promise<void> {
  for (let first = FIRST_SEED; first < FIRST_SEED + REQUESTS; first += AT_ONCE) {
    const last = Math.min(first + AT_ONCE, FIRST_SEED + REQUESTS);
    await Promise.all(Array.from({ length: last - first }, (_, index) => work(first + index)));
  }
}

describe('hostile requests', () => {
  it(`are answered with JSON and without a 5xx, and store nothing (${REQUESTS} of them)`, {
    timeout: TIMEOUT_MS,
  }, async () => {
    const before = await storedRows();
    const statuses = new Map<number, number>();
    await forEachSeed(async (seed) => {
      const { method, path, options } = hostileRequest(randomFrom(seed));
      const answer = await caller.send(method, path, undefined, options);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status, `seed ${seed}: ${method} ${path}`).toBeLessThan(500);
      expect(answer.headers['x-request-id'], `seed ${seed}: ${method} ${path}`).toBeDefined();
      if (method !== 'HEAD') expect(answer.body, `seed ${seed}: ${method} ${path}`).toBeTypeOf('object');
    });
    // The generator must reach all of these, or it proves less than it says.
    for (const status of [200, 400, 401, 404, 415, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
    expect(await storedRows()).toEqual(before);
    expect(edge.logged.filter((line) => line.includes('request failed'))).toEqual([]);
    expect((await caller.get('/v1/accounts')).status).toBe(200);
  });

  it('that are not even HTTP end with a 4xx or a closed connection', { timeout: TIMEOUT_MS }, async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + REQUESTS / 10; seed += 1) {
      const answer = await sendBytes(noise(randomFrom(seed)));
      expect(answer, `seed ${seed}`).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    }
    expect((await caller.get('/v1/accounts')).status).toBe(200);
  });
});

function noise(random: Random): Buffer {
  const bytes = Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)));
  const start = random.pick([
    '',
    'GET ',
    'POST /v1/bare HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\nhost: x\r\n',
    'PRI * HTTP/2.0\r\n',
  ]);
  return Buffer.concat([Buffer.from(start), bytes, Buffer.from('\r\n\r\n')]);
}

function sendBytes(bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(edge.baseUrl);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', (fault) => ('code' in fault && fault.code === 'ECONNRESET' ? resolve('') : reject(fault)));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
  });
}
