/** What each request leaves in its answer, in the log and in the metrics, and how a server stops. */
import { describe, expect, it } from 'vitest';
import type { Routes } from '../../server/src/http/server.ts';
import { freshDatabase } from '../support/database.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { eventually } from '../support/until.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, makeAccount, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const account = await makeAccount(db);
const edge = await startEdge({ db, routes: [echoRoutes(db)] });
const caller = callerOf(edge, account);
const slow = slowRoute();
const stopping = await startEdge({ db, routes: [slow.routes] });
const left = slowRoute();
const leaving = await startEdge({ db, routes: [left.routes] });
const hasty = await startEdge({ db, routes: [slowRoute().routes], flags: { httpRequestTimeout: '1s' } });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function linesOf(requestId: string | undefined, logged = edge.logged): string[] {
  return logged.filter((line) => line.includes('"message":"request"') && line.includes(String(requestId)));
}

/** The line is written after the answer has left. */
async function lineOf(requestId: string | undefined, logged = edge.logged): Promise<Record<string, unknown>> {
  return { ...JSON.parse(await eventually('the request is logged', () => linesOf(requestId, logged)[0])) };
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
    const ofAccount = route.startsWith('/v1') ? { account_id: account.accountId } : {};
    expect(line).toEqual({
      ...{ level: 'info', time: expect.any(String), message: 'request', ms: expect.any(Number) },
      ...{ request_id: requestId, method, route, status, ...ofAccount },
    });
    expect(linesOf(requestId)).toHaveLength(1);
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

describe('a request that takes too long', () => {
  it('is answered for: its outcome is unknown', async () => {
    const answer = await callerOf(hasty, account).get('/v1/slow');
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(answer.text).toContain('not known yet');
    expect(await lineOf(answer.headers['x-request-id'], hasty.logged)).toMatchObject({
      status: 503,
      route: '/v1/slow',
    });
  });

  it('is recorded also when its caller goes away before the answer', async () => {
    const impatient = callerOf(leaving, account);
    const given = impatient.get('/v1/slow').catch(() => 'gone');
    await left.isReached;
    impatient.close();
    expect(await given).toBe('gone');
    expect(await lineOf('"status":499', leaving.logged)).toMatchObject({ route: '/v1/slow' });
  });
});

describe('the log', () => {
  it('names what could not be read at all', async () => {
    const answer = await caller.get('/v1/accounts/%E0%A4');
    expect(await lineOf(answer.headers['x-request-id'])).toMatchObject({ status: 400, route: 'unmatched' });
  });

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
    const begun = callerOf(stopping, account).get('/v1/slow');
    await slow.isReached;
    const closed = stopping.server.close();
    expect(await begun).toMatchObject({ status: 200, body: { object: 'done' }, headers: { connection: 'close' } });
    await closed;
    await expect(callerOf(stopping, account).get('/v1/slow')).rejects.toThrow('ECONNREFUSED');
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

function signal(): { readonly given: Promise<void>; readonly give: () => void } {
  let give = (): void => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

/** A route that waits, once it is reached, until its server begins to close. */
function slowRoute() {
  const reached = signal();
  const closing = signal();
  const routes: Routes = (server) => {
    server.addHook('preClose', async () => closing.give());
    server.get('/v1/slow', { config: { call: 'read' } }, async () => {
      reached.give();
      await closing.given;
      return { object: 'done' };
    });
  };
  return { routes, isReached: reached.given };
}
