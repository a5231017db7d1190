/** `payferry api-log`, and the calls of accounts as operators look them up. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_CHARS } from '../../server/src/api-logs/api-log.ts';
import { dropOldApiLogs } from '../../server/src/api-logs/retention.ts';
import { type ApiLogWriter, openApiLogWriter } from '../../server/src/api-logs/writer.ts';
import { recordCalls } from '../../server/src/http/record-calls.ts';
import { operatorContext } from '../../server/src/operator/command.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { PNG } from '../support/senders.ts';
import type { Answer } from '../support/signed-caller.ts';
import { eventually } from '../support/until.ts';
import { operatorCli, runCli } from './run-cli.ts';
import { at, auditEntries, type Json, openListener } from './support.ts';

const DAY_MS = 86_400_000;
const { db } = await freshDatabase();
const writers: ApiLogWriter[] = [];
const app = await startApp({
  db,
  before: (ctx) => {
    const writer = openApiLogWriter(ctx);
    writers.push(writer);
    return [recordCalls(ctx, writer)];
  },
});
const service = await openListener(operatorContext(app.ctx));
const { call } = service;
const { data, lines, json } = await operatorCli(service);

const idOf = (answer: Answer) => String(answer.headers['x-request-id']);

/** A call is handed over when its connection has seen the answer, which may be a moment after the test has. */
function kept(answer: Answer): Promise<Json> {
  return eventually(`the call ${idOf(answer)} is kept`, async () => {
    await Promise.all(writers.map((writer) => writer.flush()));
    const { status, body } = await call('GET', `/operator/api-logs/${idOf(answer)}`);
    return status === 200 ? at(body, 'api_log') : undefined;
  });
}

async function listed({ accountId }: TestAccount, query = ''): Promise<{ ids: string[]; next: string | null }> {
  const { status, body } = await call('GET', `/operator/accounts/${accountId}/api-logs?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  const { api_logs, next } = Object(body);
  return { ids: api_logs.map(({ id }: { id: string }) => id), next };
}

const refused = (account: TestAccount) => account.caller.post('/v1/transactions', { transaction: { input_amount: 7 } });

describe('a call', () => {
  it('is shown to operators by the X-Request-Id of its answer, to the letter as to its caller', async () => {
    const account = await app.newAccount();
    const answer = await refused(account);
    expect(answer.status).toBe(422);
    const shown = await kept(answer);
    expect(shown).toMatchObject({
      id: idOf(answer),
      account_id: account.accountId,
      response_status: '422',
      response_body: answer.text,
      request_headers: { HTTP_AUTHORIZATION_KEY: account.key, HTTP_AUTHORIZATION_SIGNATURE: '[masked]' },
    });
    const own = await account.caller.get(`/v1/api_logs/${idOf(answer)}`);
    expect(shown).toEqual({ account_id: account.accountId, ...Object(at(own.body, 'object')) });
    expect((await call('GET', `/operator/api-logs/${idOf(answer).toUpperCase()}`)).status).toBe(200);
  });

  it('with a file is shown without it', async () => {
    const { caller } = await app.newAccount();
    const answer = await caller.post('/v1/documents', { document: { upload_file_name: 'passport.png', upload: PNG } });
    expect(String(at(await kept(answer), 'request_body'))).toMatch(/"upload":"\[\d+ characters left out\]"/);
  });

  it('that was refused shows why, however long the fields of its payout type are', async () => {
    const account = await app.newAccount();
    const details = { first_name: 'Wang', last_name: 'Example' };
    const payout_method = { type: 'ZAR::Bank', details };
    const answer = await account.caller.post('/v1/transactions', bodyOfPayout({ recipient: { payout_method } }));
    expect([answer.status, answer.text.indexOf('"errors":{"recipients') > MAX_BODY_CHARS]).toEqual([422, true]);
    const { response_body } = Object(await kept(answer));
    const sent = Object(answer.body);
    const [recipient] = sent.object.recipients;
    recipient.payout_method.fields = `[${JSON.stringify(recipient.payout_method.fields).length} characters left out]`;
    expect(JSON.parse(response_body)).toEqual(sent);
    expect(response_body).toMatch(/^{"errors":{"recipients\.0\.payout_method\./);
  });

  it('is printed with its body and what it was answered, on lines that it cannot forge', async () => {
    const account = await app.newAccount();
    const answer = await account.caller.send('POST', '/v1/transactions', undefined, { rawBody: '{\n\n"x": 1}' });
    await kept(answer);
    const seen = await lines('api-log', 'show', idOf(answer));
    expect(seen).toContain(`account | ${account.accountId}`);
    expect(seen).toContain(`request | POST ${app.baseUrl}/v1/transactions`);
    expect(seen).toContain(`status | ${answer.status}`);
    expect(seen).toContain('body | {\\u000a\\u000a"x": 1}');
    expect(seen.at(-1)).toBe(`body | ${answer.text}`);
    expect(at(await json('api-log', 'show', idOf(answer)), 'api_log', 'id')).toBe(idOf(answer));
  });

  it('is found by its id', async () => {
    const account = await app.newAccount();
    const answer = await refused(account);
    await kept(answer);
    expect((await lines('find', idOf(answer)))[1]).toMatch(new RegExp(`payferry api-log show ${idOf(answer)}$`));
  });

  it('that nobody made, or that is no longer kept, is not found', async () => {
    const account = await app.newAccount();
    const answer = await refused(account);
    await kept(answer);
    app.clock.advance(8 * DAY_MS);
    await dropOldApiLogs(app.ctx);
    for (const id of [idOf(answer), randomUUID()]) {
      const { status, body } = await call('GET', `/operator/api-logs/${id}`);
      expect([status, at(body, 'error')]).toEqual([404, 'api_log_not_found']);
    }
    expect((await runCli(['api-log', 'show', idOf(answer), '--data', data])).stderr).toMatch(/api_log_not_found/);
  });
});

describe('the calls of an account', () => {
  it('are listed newest first, in pages, without bodies and without those of others', async () => {
    const [account, other] = [await app.newAccount(), await app.newAccount()];
    const made: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      app.clock.advance(1_000);
      const answer = await refused(account);
      made.unshift(idOf(answer));
      await kept(answer);
      await kept(await refused(other));
    }
    const first = await listed(account, 'limit=2');
    expect(first.ids).toEqual(made.slice(0, 2));
    expect(await listed(account, `limit=2&after=${first.next}`)).toEqual({ ids: made.slice(2), next: null });
    const [titles, newest, , more] = await lines('api-log', 'list', account.accountId, '--limit', '2');
    expect(titles).toBe('When | Call | Status | Method | Address');
    const time = app.clock.now().toISOString();
    expect(newest).toBe(`${time} | ${made[0]} | 422 | POST | ${app.baseUrl}/v1/transactions`);
    expect(more).toBe(`There may be more: --after ${first.next}`);
    const whole = await json('api-log', 'list', account.accountId);
    expect(JSON.stringify(whole)).not.toContain('input_amount');
  });

  it('that came in the same millisecond are all there, page by page', async () => {
    const account = await app.newAccount();
    const made = await Promise.all(Array.from({ length: 5 }, () => refused(account)));
    for (const answer of made) await kept(answer);
    await db.execute('update api_logs set created_at = $2 where account_id = $1::uuid', [
      account.accountId,
      app.clock.now(),
    ]);
    const ids: string[] = [];
    let page = await listed(account, 'limit=2');
    for (; page.next !== null; page = await listed(account, `limit=2&after=${page.next}`)) ids.push(...page.ids);
    expect([...ids, ...page.ids].sort()).toEqual(made.map(idOf).sort());
  });

  it('are narrowed by days, as their caller can do it', async () => {
    const account = await app.newAccount();
    const older = await refused(account);
    await kept(older);
    const day = app.clock.now().toISOString().slice(0, 10);
    app.clock.advance(DAY_MS);
    const newer = await refused(account);
    await kept(newer);
    const next = app.clock.now().toISOString().slice(0, 10);
    expect((await listed(account, `created_at_to=${day}`)).ids).toEqual([idOf(older)]);
    expect((await listed(account, `created_at_from=${next}`)).ids).toEqual([idOf(newer)]);
    expect((await listed(account, `created_at_from=${day}&created_at_to=${next}`)).ids).toHaveLength(2);
    const [, row] = await lines('api-log', 'list', account.accountId, '--from', next, '--to', next);
    expect(row).toContain(idOf(newer));
    expect(await lines('api-log', 'list', account.accountId, '--to', '2000-01-01')).toEqual(['There is no such call.']);
  });

  it.each([
    'created_at_from=2026-02-31',
    'created_at_to=2026-13-01',
    'created_at_from=today',
    'created_at_from=2026-11-16&created_at_to=2026-11-15',
    'limit=501',
    'page=2',
  ])('are not listed for %s', async (query) => {
    const { accountId } = await app.newAccount();
    const { status, body } = await call('GET', `/operator/accounts/${accountId}/api-logs?${query}`);
    expect([status, at(body, 'error')]).toEqual([422, 'invalid']);
  });

  it('are nobody’s where there is no such account, and need a token', async () => {
    const unknown = await call('GET', `/operator/accounts/${randomUUID()}/api-logs`);
    expect([unknown.status, at(unknown.body, 'error')]).toEqual([404, 'account_not_found']);
    const { accountId } = await app.newAccount();
    const path = `/operator/accounts/${accountId}/api-logs`;
    expect((await call('GET', path, undefined, { token: null })).status).toBe(401);
    expect((await call('GET', `/operator/api-logs/${randomUUID()}`, undefined, { token: null })).status).toBe(401);
  });

  it('leave no line in the audit log when they are read, as senders and their documents do', async () => {
    const account = await app.newAccount();
    const before = (await auditEntries(service)).length;
    await kept(await refused(account));
    await listed(account);
    expect(await auditEntries(service)).toHaveLength(before);
  });
});
