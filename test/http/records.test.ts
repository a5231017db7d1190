/** What each request leaves in its answer, in the log and in the metrics, and how a server stops. */
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const account = await makeAccount(db);
const edge = await startEdge({ db, routes: [echoRoutes(db)] });
const caller = callerOf(edge, account);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The line is written after the answer has left. */
async function lineOf(requestId: string | undefined): Promise<Record<string, unknown>> {
  for (let turn = 0; turn < 1_000; turn += 1) {
    const line = edge.logged.find((one) => one.includes('"message":"request"') && one.includes(String(requestId)));
    if (line !== undefined) return { ...JSON.parse(line) };
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('the request was not logged');
}

describe('each answer', () => {
  it.each([
    ['GET', '/v1/accounts', 200, '/v1/accounts'],
    ['GET', '/v1/accounts/JPY?secret=x', 404, '/v1/accounts/:currency'],
    ['GET', '/v1/nothing/Ada', 404, 'unmatched'],
    ['POST', '/v1/broken', 500, '/v1/broken'],
    ['POST', '/v1/things', 422, '/v1/things'],
    ['GET', '/health/live', 200, '/health/live'],
  ])('to %s %s carries a request id, which its one log line has too', async (method, path, status, route) => {
    const answer = await caller.send(method, path);
    const requestId = answer.headers['x-request-id'];
    expect(answer.status).toBe(status);
    expect(requestId).toMatch(UUID);
    const line = await lineOf(requestId);
    expect(line).toMatchObject({ requestId, method, route, status, ms: expect.any(Number) });
    expect(
      edge.logged.filter((one) => one.includes(`"message":"request"`) && one.includes(String(requestId))),
    ).toHaveLength(1);
    expect(line['accountId']).toBe(route.startsWith('/v1') ? account.accountId : undefined);
  });

  it('carries an id of ours, whatever the caller sent as one', async () => {
    const answer = await caller.get('/v1/accounts', { headers: { 'x-request-id': 'mine' } });
    expect(answer.headers['x-request-id']).toMatch(UUID);
  });

  it('to a request that is refused at the door carries one too', async () => {
    const refused = await caller.get('/v1/accounts', { headers: { 'authorization-key': null } });
    const unreadable = await caller.get('/v1/accounts/%E0%A4');
    const tooLong = await caller.get(`/v1/accounts/${'x'.repeat(300)}`);
    for (const answer of [refused, unreadable, tooLong]) expect(answer.headers['x-request-id']).toMatch(UUID);
  });
});

describe('the log', () => {
  it('never holds a secret, a signature, a query or a body', async () => {
    const signature = 'ab'.repeat(64);
    await caller.get('/v1/things?state=query-text');
    await caller.post('/v1/bare', { first_name: 'body-text' });
    await caller.get('/v1/accounts', { signature });
    const text = edge.logged.join('');
    for (const hidden of [account.secret, signature, 'query-text', 'body-text']) expect(text).not.toContain(hidden);
  });
});

describe('the metrics', () => {
  it('count requests by method, route and status, and the batches of nonces', async () => {
    const before = await countOf('method="GET",route="/v1/accounts/:currency",status="404"');
    await lineOf((await caller.get('/v1/accounts/ABC')).headers['x-request-id']);
    await lineOf((await caller.get('/v1/accounts/DEF')).headers['x-request-id']);
    expect(await countOf('method="GET",route="/v1/accounts/:currency",status="404"')).toBe(before + 2);
    expect(await edge.metrics.text()).toMatch(/payferry_batch_commands_count\{operation="keep_nonces"\} [1-9]/);
    expect(await edge.metrics.text()).not.toContain('/v1/accounts/ABC');
  });
});

async function countOf(labels: string): Promise<number> {
  const name = `payferry_http_request_seconds_count{${labels}} `;
  const line = (await edge.metrics.text()).split('\n').find((one) => one.startsWith(name));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

describe('a server', () => {
  it('that is closed answers what it has begun and takes nothing new', async () => {
    const stopping = await startStopping();
    const begun = callerOf(stopping.edge, account).get('/v1/slow');
    await stopping.reached;
    const closed = stopping.edge.server.close();
    stopping.goOn();
    expect(await begun).toMatchObject({ status: 200, body: { object: 'done' }, headers: { connection: 'close' } });
    await closed;
    await expect(callerOf(stopping.edge, account).get('/v1/slow')).rejects.toThrow('ECONNREFUSED');
  });

  it('can be called without a port, as tests of single routes do', async () => {
    const injected = signedCaller({ server: edge.server, key: account.key, secret: account.secret });
    expect(await injected.get('/v1/accounts')).toMatchObject({ status: 200, body: { object: [] } });
    expect((await injected.post('/v1/bare', { a: 1 })).body).toEqual({ object: { a: 1 } });
  });

  it('refuses a route that does not say which kind of call it takes', async () => {
    const routes = [(server: typeof edge.server) => void server.get('/v1/open', async () => 'x')];
    await expect(startEdge({ db, routes })).rejects.toThrow('says which kind of call it takes');
  });
});

async function startStopping() {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const slow = await startEdge({
    db,
    routes: [
      (server) =>
        void server.get('/v1/slow', { config: { call: 'read' } }, async () => {
          reached.resolve();
          await gate.promise;
          return { object: 'done' };
        }),
    ],
  });
  return { edge: slow, reached: reached.promise, goOn: gate.resolve };
}
