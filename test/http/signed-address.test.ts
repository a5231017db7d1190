/** Which address a caller has to sign. Spec: Authentication. */
import { describe, expect, it } from 'vitest';
import { freshDatabase } from '../support/database.ts';
import type { CallOptions } from '../support/signed-caller.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, type Edge, makeAccount, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const account = await makeAccount(db);
const live = { mode: 'live', publicUrl: 'https://api.example.test' };
const routes = [echoRoutes(db)];
const sandbox = await startEdge({ db, routes });
const published = await startEdge({ db, routes, flags: live });
const proxied = await startEdge({ db, routes, flags: { ...live, trustProxy: 'true' } });
const underPath = await startEdge({ db, routes, flags: { ...live, publicUrl: 'https://example.test/pay/' } });

const PATH = '/v1/accounts';

async function statusOf(edge: Edge, signedUrl: string, headers: CallOptions['headers'] = {}, path = PATH) {
  return (await callerOf(edge, account).get(path, { signedUrl, headers })).status;
}

describe('in live mode', () => {
  it.each([
    ['the public address', `https://api.example.test${PATH}`, 200],
    ['the public address with its default port', `https://api.example.test:443${PATH}`, 200],
    ['another scheme', `http://api.example.test${PATH}`, 401],
    ['another port', `https://api.example.test:8443${PATH}`, 401],
    ['another host', `https://api.example.org${PATH}`, 401],
    ['the path alone', PATH, 401],
  ])('%s is answered as it should be when it is what the caller signed', async (_, signedUrl, status) => {
    expect(await statusOf(published, signedUrl)).toBe(status);
  });

  it('the address of the machine itself cannot be signed', async () => {
    expect(await statusOf(published, `${published.baseUrl}${PATH}`)).toBe(401);
  });

  it('nobody chooses the address by a Host or forwarded header', async () => {
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' };
    expect(await statusOf(published, `https://evil.test${PATH}`, headers)).toBe(401);
    expect(await statusOf(published, `http://evil.test${PATH}`, headers)).toBe(401);
    expect(await statusOf(published, `https://api.example.test${PATH}`, headers)).toBe(200);
  });

  it('the public address may have a path that the proxy takes away', async () => {
    expect(await statusOf(underPath, `https://example.test/pay${PATH}`)).toBe(200);
    expect(await statusOf(underPath, `https://example.test${PATH}`)).toBe(401);
  });
});

describe('behind a proxy that is trusted', () => {
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pay.example.test' };

  it('the forwarded address is right, and so is the public one', async () => {
    expect(await statusOf(proxied, `https://pay.example.test${PATH}`, headers)).toBe(200);
    expect(await statusOf(proxied, `https://pay.example.test:443${PATH}`, headers)).toBe(200);
    expect(await statusOf(proxied, `https://api.example.test${PATH}`, headers)).toBe(200);
  });

  it('what the proxy does not forward is wrong', async () => {
    expect(await statusOf(proxied, `http://pay.example.test${PATH}`, headers)).toBe(401);
    expect(await statusOf(proxied, `https://other.example.test${PATH}`, headers)).toBe(401);
    expect(await statusOf(proxied, `https://pay.example.test${PATH}`)).toBe(401);
  });

  it('a Host header that the proxy passes on is enough when it tells the scheme', async () => {
    const passed = { 'x-forwarded-proto': 'https', host: 'pay.example.test' };
    expect(await statusOf(proxied, `https://pay.example.test${PATH}`, passed)).toBe(200);
  });
});

describe('in the sandbox', () => {
  it('a caller may reach the service under any name it has', async () => {
    const { port } = new URL(sandbox.baseUrl);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `payferry.local:${port}`]) {
      expect(await statusOf(sandbox, `http://${host}${PATH}`, { host })).toBe(200);
    }
    expect(await statusOf(sandbox, `http://localhost:80${PATH}`, { host: 'localhost' })).toBe(200);
    expect(await statusOf(sandbox, `http://localhost:${port}${PATH}`)).toBe(401);
  });

  it('a request without a Host header is refused like any other that is not signed right', async () => {
    expect(await statusOf(sandbox, `${sandbox.baseUrl}${PATH}`, { host: null })).toBe(401);
  });
});

describe('the query', () => {
  const base = `${sandbox.baseUrl}/v1/things`;

  it.each([
    ['as it was sent', '?external_id=Transaction%3ANGN%3A17523', '?external_id=Transaction%3ANGN%3A17523'],
    ['with five characters raw that are sent escaped', '?a=%21%27%28%29%2A', "?a=!'()*"],
    ['sorted', '?b=1&a=2', '?a=2&b=1'],
    ['with + for a space', '?a=x%20y', '?a=x+y'],
    ['with brackets for a list', '?state=a&state=b', '?state%5B%5D=a&state%5B%5D=b'],
  ])('may be signed %s', async (_, sent, signed) => {
    expect(await statusOf(sandbox, `${base}${signed}`, {}, `/v1/things${sent}`)).toBe(200);
  });

  it.each([
    ['another value', '?a=1', '?a=2'],
    ['one value less', '?a=1&b=2', '?a=1'],
    ['a raw slash', '?a=x%2Fy', '?a=x/y'],
    ['no query', '?a=1', ''],
    ['lists in another order', '?state=a&state=b', '?state=b&state=a'],
  ])('may not be signed with %s', async (_, sent, signed) => {
    expect(await statusOf(sandbox, `${base}${signed}`, {}, `/v1/things${sent}`)).toBe(401);
  });

  it('reaches the handler the same in both forms of a list', async () => {
    const caller = callerOf(sandbox, account);
    for (const query of [
      'state=a&state=b&page=2',
      'state[]=a&state[]=b&page=2',
      'state%5B%5D=a&state%5B%5D=b&page=2',
    ]) {
      expect((await caller.get(`/v1/things?${query}`)).body).toEqual({ object: { state: ['a', 'b'], page: 2 } });
    }
  });
});
