/** A 401 tells callers little; the line of the request tells operators why. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { nameSuccessor, revokeKey } from '../../server/src/accounts/keys.ts';
import { LARGE_BODY_BYTES } from '../../server/src/http/body-room.ts';
import { UNPROVED_REASONS } from '../../server/src/http/unproved.ts';
import { freshDatabase } from '../support/database.ts';
import { readDocument } from '../support/markdown.ts';
import type { Answer, CallOptions, SignedCaller } from '../support/signed-caller.ts';
import { eventually } from '../support/until.ts';
import { echoRoutes } from './echo-routes.ts';
import { callerOf, type Edge, makeAccount, makeKey, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const routes = [echoRoutes(db)];
const live = { mode: 'live', publicUrl: 'https://pay.example.test' };
const sandbox = await startEdge({ db, routes });
const published = await startEdge({ db, routes, flags: live });
const proxied = await startEdge({ db, routes, flags: { ...live, trustProxy: 'true' } });
const account = await makeAccount(db);
const caller = callerOf(sandbox, account);
const { accountId } = account;

/** The one line of a request, which is written after its answer has left. */
async function lineOf({ logged }: Edge, answer: Answer): Promise<Record<string, unknown>> {
  const requestId = String(answer.headers['x-request-id']);
  const line = await eventually('the request is logged', () => logged.find((text) => text.includes(requestId)));
  expect(logged.filter((text) => text.includes(requestId))).toHaveLength(1);
  return { ...JSON.parse(line) };
}

/** What the line has beside what every line of a request has. */
async function toldOf(edge: Edge, answer: Answer): Promise<Record<string, unknown>> {
  expect(answer.status).toBe(401);
  const { level, time, message, ms, request_id, method, route, status, ...told } = await lineOf(edge, answer);
  expect({ level, message, status }).toEqual({ level: 'info', message: 'request', status: 401 });
  return told;
}

async function countOf({ metrics }: Edge, reason: string): Promise<number> {
  const name = `payferry_unproved_calls_total{reason="${reason}"} `;
  const line = (await metrics.text()).split('\n').find((one) => one.startsWith(name));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

/** A key that was good until now. */
async function endedKey(end: 'revoked' | 'expired'): Promise<{ key: string; caller: SignedCaller }> {
  const made = await makeKey(db, accountId);
  const validUntil = new Date();
  await db.inTx(async (tx) => {
    if (end === 'revoked') await revokeKey(tx, made.key, validUntil);
    else await nameSuccessor(tx, { key: made.key, successor: account.key, validUntil });
  });
  return { key: made.key, caller: callerOf(sandbox, made) };
}

describe('the line of a call that is answered with 401', () => {
  it.each<[string, CallOptions, string]>([
    ['a header is missing', { headers: { 'authorization-nonce': null } }, 'headers_missing'],
    ['a header comes twice', { extraHeaders: [['authorization-nonce', 'x']] }, 'header_doubled'],
    ['the key has no form of one', { headers: { 'authorization-key': 'k'.repeat(101) } }, 'key_malformed'],
    ['the nonce is too long', { nonce: 'n'.repeat(201) }, 'nonce_malformed'],
    ['the signature is in upper case', { signature: 'AB'.repeat(64) }, 'signature_malformed'],
  ])('says that %s, and nothing of the key, of which nothing is known', async (_, options, reason) => {
    const before = await countOf(sandbox, reason);
    expect(await toldOf(sandbox, await caller.get('/v1/accounts', options))).toEqual({ unproved: reason });
    expect(await countOf(sandbox, reason)).toBe(before + 1);
  });

  it('says that nobody has the key, of which it holds a few characters: it may be a secret', async () => {
    const mistaken = callerOf(sandbox, { key: account.secret, secret: account.key });
    const told = { unproved: 'key_unknown', key_begins: account.secret.slice(0, 8) };
    expect(await toldOf(sandbox, await mistaken.get('/v1/accounts'))).toEqual(told);
    const large = { a: 'x'.repeat(2 * LARGE_BODY_BYTES) };
    expect(await toldOf(sandbox, await mistaken.post('/v1/bare', large))).toEqual(told);
  });

  it.each(['revoked', 'expired'] as const)('says that the key is %s, and whose it was', async (end) => {
    const ended = await endedKey(end);
    const told = { unproved: `key_${end}`, api_key: ended.key, account_id: accountId };
    expect(await toldOf(sandbox, await ended.caller.get('/v1/accounts'))).toEqual(told);
    const large = { a: 'x'.repeat(2 * LARGE_BODY_BYTES) };
    expect(await toldOf(sandbox, await ended.caller.post('/v1/bare', large))).toEqual(told);
  });

  it.each(['/v1/accounts', '/v1/things'])('says that the nonce was used, by %s too', async (path) => {
    const nonce = randomUUID();
    const call = () =>
      path === '/v1/things'
        ? caller.post(path, { thing: { name: 'a', kind: 'small' } }, { nonce })
        : caller.get(path, { nonce });
    const first = await call();
    expect(await lineOf(sandbox, first)).not.toHaveProperty('unproved');
    const told = { unproved: 'nonce_used', api_key: account.key, account_id: accountId };
    expect(await toldOf(sandbox, await call())).toEqual(told);
  });
});

describe('the line of a call with a wrong signature', () => {
  const known = { api_key: account.key, account_id: accountId };

  it('has the address that would have been right, and the host that was called', async () => {
    const signedUrl = 'https://other.example.test/v1/accounts/USD';
    const headers = { host: 'other.example.test' };
    const answer = await callerOf(published, account).get('/v1/accounts/USD', { signedUrl, headers });
    expect(await toldOf(published, answer)).toEqual({
      ...known,
      unproved: 'signature_wrong',
      expected_address: 'https://pay.example.test/v1/accounts/:currency',
      called_host: 'other.example.test',
    });
  });

  it('has both addresses where a proxy is believed too', async () => {
    const wrong = callerOf(proxied, { key: account.key, secret: 'wrong' });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example.test', host: 'inside' };
    expect(await toldOf(proxied, await wrong.get('/v1/accounts', { headers }))).toEqual({
      ...known,
      unproved: 'signature_wrong',
      expected_address: 'https://pay.example.test/v1/accounts or https://a.example.test/v1/accounts',
      called_host: 'inside',
    });
  });

  it('has none where a sandbox cannot tell how it was called', async () => {
    const headers = { host: 'no host at all' };
    const answer = await caller.get('/v1/accounts', { headers });
    expect(await toldOf(sandbox, answer)).toEqual({ ...known, unproved: 'signature_wrong' });
  });

  it('stays short, and holds neither query, body, signature nor secret, whatever the caller sends', async () => {
    const wrong = callerOf(sandbox, { key: account.key, secret: 'wrong' });
    const headers = { host: `${'h'.repeat(250)}` };
    const signature = 'ab'.repeat(64);
    const answer = await wrong.post('/v1/bare?state=query-text', { name: 'body-text' }, { headers, signature });
    const told = await lineOf(sandbox, answer);
    expect([told['called_host'], told['expected_address']].map((text) => String(text).length)).toEqual([200, 200]);
    const line = JSON.stringify(told);
    expect(line).toContain('signature_wrong');
    for (const hidden of ['query-text', 'body-text', signature, account.secret]) expect(line).not.toContain(hidden);
  });
});

it('docs/support.md tells what to do about each reason', () => {
  const [, table = ''] = /^## When a caller gets 401\n([\s\S]*?)^## /m.exec(readDocument('docs/support.md')) ?? [];
  const told = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]+/g) ?? []);
  expect(told).toEqual(['unproved', ...UNPROVED_REASONS]);
});
