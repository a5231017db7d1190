/** A 401 of the operator listener tells the one who asks nothing; log and metrics tell operators why. */
import { describe, expect, it, vi } from 'vitest';
import { openLog } from '../../server/src/observability/log.ts';
import { TOLD_EVERY_MS } from '../../server/src/observability/repeats.ts';
import { UNPROVED_OPERATOR_REASONS } from '../../server/src/operator/unproved.ts';
import { readDocument } from '../support/markdown.ts';
import { startOperatorService, textAt } from './support.ts';

const logged: string[] = [];
const log = openLog({ level: 'info', format: 'json', isTerminal: false, write: (line) => logged.push(line) });
const { call } = await startOperatorService({ log, flags: { operatorMetricsToken: 'only-for-prometheus' } });

const untilNow = performance.now.bind(performance);
let passedMs = 0;
vi.spyOn(performance, 'now').mockImplementation(() => untilNow() + passedMs);

async function countOf(reason: string): Promise<number> {
  const text = String((await call('GET', '/metrics')).body);
  const name = `payferry_unproved_operator_requests_total{reason="${reason}"} `;
  const line = text.split('\n').find((one) => one.startsWith(name));
  return Number(line?.slice(name.length));
}

async function toldOf(path: string, options: Parameters<typeof call>[3]): Promise<Record<string, unknown>> {
  logged.length = 0;
  passedMs += TOLD_EVERY_MS;
  expect((await call('GET', path, undefined, options)).status).toBe(401);
  expect(logged).toHaveLength(1);
  const { level, time, message, request_id, ...told } = JSON.parse(logged[0] ?? '');
  expect({ level, message }).toEqual({ level: 'warn', message: 'an operator was not proved' });
  return told;
}

describe('the line of a request that is answered with 401', () => {
  it.each([
    ['there is no token', '/operator/audit', { token: null }, 'token_missing'],
    ['the scheme is another one', '/operator/audit', { headers: { authorization: 'Basic abc' } }, 'token_malformed'],
    ['nobody has the token', '/operator/audit', { token: 'pfo_secret-text' }, 'token_unknown'],
    ['the token is too long', '/operator/audit', { token: 'secret-text'.repeat(30) }, 'token_unknown'],
    ['the token is that of the metrics', '/operator/audit', { token: 'only-for-prometheus' }, 'token_unknown'],
    ['nobody has the token of the metrics', '/metrics', { token: 'secret-text' }, 'token_unknown'],
  ])('says that %s, and nothing of it', async (_, path, options, reason) => {
    const before = await countOf(reason);
    const told = { method: 'GET', route: path, from: '127.0.0.1', unproved: reason };
    expect(await toldOf(`${path}?limit=1`, options)).toEqual(told);
    expect(await countOf(reason)).toBe(before + 1);
  });

  it('says whose token was revoked', async () => {
    const token = textAt((await call('POST', '/operator/operators', { name: 'gone' })).body, 'token');
    await call('DELETE', '/operator/operators/gone');
    expect(await toldOf('/operator/audit', { token })).toMatchObject({ unproved: 'token_revoked', operator: 'gone' });
    expect(logged.join()).not.toContain(token);
  });
});

it('requests of one reason from one address leave one line a minute, which says how many there were', async () => {
  const options = { token: 'secret-text' };
  const first = await toldOf('/operator/audit', options);
  const before = await countOf('token_unknown');
  for (let times = 0; times < 3; times += 1) await call('GET', '/operator/operators', undefined, options);
  expect(logged).toHaveLength(1);
  expect(await countOf('token_unknown')).toBe(before + 3);
  await call('GET', '/operator/audit', undefined, { token: null });
  expect(logged).toHaveLength(2);
  expect(await toldOf('/operator/audit', options)).toEqual({ ...first, not_told_since: 3 });
});

it('docs/support.md tells what to do about each reason', () => {
  const [, table = ''] = /^## When an operator gets 401\n([\s\S]*)/m.exec(readDocument('docs/support.md')) ?? [];
  const told = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z_]+/g) ?? []);
  expect(told).toEqual(['unproved', ...UNPROVED_OPERATOR_REASONS]);
});
