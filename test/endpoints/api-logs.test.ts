/** /v1/api_logs: what a caller sent and what it was answered, to be looked up later. */
import { describe, expect, it } from 'vitest';
import { MAX_BODY_CHARS } from '../../server/src/api-logs/api-log.ts';
import { dropOldApiLogs } from '../../server/src/api-logs/retention.ts';
import { openApiLogWriter } from '../../server/src/api-logs/writer.ts';
import { type CreateDocumentCommand, createDocuments } from '../../server/src/documents/create.ts';
import { pgFileStore } from '../../server/src/documents/pg-files.ts';
import { recordCalls } from '../../server/src/http/record-calls.ts';
import { apiLogRoutes } from '../../server/src/http/routes/api-logs.ts';
import { documentRoutes } from '../../server/src/http/routes/documents.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { silentLog } from '../../server/src/kernel/log.ts';
import { createMetrics } from '../../server/src/observability/metrics.ts';
import { echoRoutes } from '../http/echo-routes.ts';
import { callerOf, makeAccount, settingsFor, startEdge } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { manualClock } from '../support/manual-clock.ts';
import { PNG } from '../support/senders.ts';
import type { Answer, SignedCaller } from '../support/signed-caller.ts';
import { wordsIn } from '../support/transactions.ts';
import { eventually } from '../support/until.ts';
import { runner } from './sender-edge.ts';

interface LogView {
  readonly id: string;
  readonly request_url: string;
  readonly request_body: string;
  readonly request_headers: Readonly<Record<string, string>>;
  readonly response_status: string;
  readonly response_body: string;
  readonly [field: string]: unknown;
}

const DAY_MS = 86_400_000;
const NOON = new Date('2026-05-10T12:00:00.000Z');
const UUID = /^[0-9a-f-]{36}$/;

const { db } = await freshDatabase();
const clock = manualClock(NOON);
const ids = timeOrderedIds(() => clock.now().getTime());

async function startRecording(flags: Readonly<Record<string, string>> = {}) {
  const settings = settingsFor(flags);
  const writer = openApiLogWriter({ db, settings, log: silentLog, metrics: createMetrics({ process: false }) });
  const ctx = { db, ids, settings, files: pgFileStore };
  const create = runner('create_documents', (commands: readonly CreateDocumentCommand[]) =>
    createDocuments(ctx, commands),
  );
  const routes = [recordCalls(ctx, writer), apiLogRoutes(ctx), echoRoutes(db), documentRoutes(ctx, { create })];
  return { edge: await startEdge({ db, clock, flags, routes }), writer };
}

const { edge, writer } = await startRecording();
const silent = await startRecording({ apiLogsEnabled: 'false' });

async function newCaller(at = edge) {
  const account = await makeAccount(db);
  return { account, caller: callerOf(at, account) };
}

/** A call is handed over when its connection has seen the answer, which may be a moment after the test has. */
function logsOf(caller: SignedCaller, count: number, query = ''): Promise<LogView[]> {
  return eventually(`there are ${count} logs`, async () => {
    await writer.flush();
    const logs = listIn(await caller.get(`/v1/api_logs?per=100${query}`)).object.filter(
      ({ request_url }) => !request_url.includes('/v1/api_logs'),
    );
    return logs.length >= count ? logs : undefined;
  });
}

function listIn(answer: Answer): { object: LogView[]; pagination: Record<string, unknown> } {
  expect(answer.status, answer.text).toBe(200);
  const { object, meta } = answer.body as { object: LogView[]; meta: { pagination: Record<string, unknown> } };
  return { object, pagination: meta.pagination };
}

describe('a call', () => {
  it('can be looked up with its answer, and without its signature', async () => {
    const { account, caller } = await newCaller();
    const body = { thing: { name: 'Ünder', kind: 'small' } };
    const nonce = 'a-nonce-of-its-own';
    const answer = await caller.post('/v1/things?x=1', body, { nonce });
    const [log] = await logsOf(caller, 1);
    expect(log).toEqual({
      id: expect.stringMatching(UUID),
      request_method: 'POST',
      request_url: `${edge.baseUrl}/v1/things?x=1`,
      request_body: JSON.stringify(body),
      request_headers: {
        HTTP_HOST: edge.baseUrl.replace('http://', ''),
        HTTP_ACCEPT: 'application/json',
        HTTP_CONTENT_TYPE: 'application/json',
        HTTP_CONTENT_LENGTH: String(Buffer.byteLength(JSON.stringify(body))),
        HTTP_CONNECTION: 'keep-alive',
        HTTP_AUTHORIZATION_KEY: account.key,
        HTTP_AUTHORIZATION_NONCE: nonce,
        HTTP_AUTHORIZATION_SIGNATURE: '[masked]',
      },
      response_status: '201',
      response_body: answer.text,
      response_headers: expect.objectContaining({ 'x-request-id': answer.headers['x-request-id'] }),
      created_at: NOON.toISOString(),
    });
    expect((await caller.get(`/v1/api_logs/${log?.id}`)).body).toEqual({ object: log });
  });

  it.each([
    ['that is refused', 'POST', '/v1/things', '{"thing":{}}', '422'],
    ['that is not JSON', 'POST', '/v1/things', '{"thing":', '400'],
    ['that holds a NUL character', 'POST', '/v1/things', '\u0000', '400'],
    ['for something that does not exist', 'GET', '/v1/accounts/JPY', '', '404'],
    ['that fails', 'POST', '/v1/broken', '', '500'],
  ])('%s is kept too', async (_, method, path, rawBody, status) => {
    const { caller } = await newCaller();
    const answer = await caller.send(method, path, undefined, { rawBody });
    const [log] = await logsOf(caller, 1);
    expect(log).toMatchObject({ response_status: status, response_body: answer.text });
    expect(log?.request_body).toBe(rawBody.replace('\u0000', '\ufffd'));
  });

  it('with a used nonce is kept with its 401, and one with a wrong signature belongs to nobody', async () => {
    const { caller } = await newCaller();
    await caller.get('/v1/accounts', { nonce: 'once' });
    await caller.get('/v1/accounts', { nonce: 'once' });
    await caller.get('/v1/accounts/USD', { signature: '0'.repeat(128) });
    const logs = await logsOf(caller, 2);
    expect(logs.map(({ response_status }) => response_status).sort()).toEqual(['200', '401']);
    expect(logs.filter(({ request_url }) => request_url.endsWith('USD'))).toEqual([]);
  });

  it.each([
    ['a file', { upload: PNG }],
    ['a file that is refused', { upload: PNG.replace('image/png', 'text/html') }],
    ['something else in place of a file', { upload: 'aVeryPrivateText'.repeat(9) }],
  ])('with %s is kept without it', async (_, fields) => {
    const { caller } = await newCaller();
    await caller.post('/v1/documents', { document: { upload_file_name: 'passport.png', ...fields } });
    const [log] = await logsOf(caller, 1);
    expect(log?.request_body).toBe(
      `{"document":{"upload_file_name":"passport.png","upload":"[${fields.upload.length} characters left out]"}}`,
    );
    expect(log?.response_body).not.toContain('base64');
  });

  it.each([
    ['as a form has it', 'multipart/form-data; boundary=x', '--x\r\nname="upload"\r\n\r\naVeryPrivateText\r\n--x--'],
    ['as the whole body', 'application/pdf', '%PDF-1.7 aVeryPrivateText'],
    ['as bytes that are called JSON', 'application/json', Buffer.from('\u00ff\u00d8aVeryPrivateText', 'latin1')],
    ['within a list', 'application/json', '{"document":{"upload":["aVeryPrivateText"]}}'],
    ['within a list, in a body that breaks off', 'application/json', '{"document":{"upload":["aVeryPrivateText'],
    ['within an object', 'application/json', '{"document":{"upload":{"data":"aVeryPrivateText"}}}'],
  ])('with a file %s is kept without it', async (_, type, rawBody) => {
    const { caller } = await newCaller();
    const headers = { 'content-type': type };
    const { status } = await caller.send('POST', '/v1/documents', undefined, { rawBody, headers });
    expect([400, 415, 422]).toContain(status);
    const [log] = await logsOf(caller, 1);
    expect(log?.request_body).toMatch(/left out\]|\[masked\]/);
    expect(`${log?.request_body} ${log?.response_body}`).not.toContain('aVeryPrivateText');
  });

  it('with JSON that is not called so is kept, for whoever looks for the mistake', async () => {
    const { caller } = await newCaller();
    const rawBody = ' {"thing":{}}';
    await caller.send('POST', '/v1/things', undefined, { rawBody, headers: { 'content-type': 'text/plain' } });
    expect(await logsOf(caller, 1)).toMatchObject([{ request_body: rawBody, response_status: '415' }]);
  });

  it('with long bodies is kept with their beginnings, which say that they were cut', async () => {
    const { caller } = await newCaller();
    const body = { text: 'é'.repeat(MAX_BODY_CHARS * 2) };
    const answer = await caller.post('/v1/bare', body);
    expect(answer.status).toBe(200);
    const [log] = await logsOf(caller, 1);
    const mark = (length: number) => ` [cut: ${length} characters in all]`;
    const sent = JSON.stringify(body);
    expect(log?.request_body).toBe(sent.slice(0, MAX_BODY_CHARS) + mark(sent.length));
    expect(log?.response_body).toBe(answer.text.slice(0, MAX_BODY_CHARS) + mark(answer.text.length));
  });

  it('that came through a trusted proxy is kept under the address that its caller signed', async () => {
    const proxied = await startRecording({ trustProxy: 'true' });
    const { caller } = await newCaller(proxied.edge);
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'pay.example.test' };
    const signedUrl = 'https://pay.example.test/v1/accounts?x=1';
    expect((await caller.get('/v1/accounts?x=1', { headers, signedUrl })).status).toBe(200);
    const [log] = await eventually('there is a log', async () => {
      await proxied.writer.flush();
      const { object } = listIn(await caller.get('/v1/api_logs'));
      return object.length > 0 ? object.slice(-1) : undefined;
    });
    expect(log?.request_url).toBe(signedUrl);
  });

  it('is not kept where the operator switched that off', async () => {
    const { caller } = await newCaller(silent.edge);
    await caller.get('/v1/accounts');
    await caller.get('/v1/accounts');
    await silent.writer.flush();
    expect(listIn(await caller.get('/v1/api_logs')).pagination).toMatchObject({ total_count: 0 });
  });
});

describe('the list', () => {
  it('goes from page to page, newest first', async () => {
    const { caller } = await newCaller();
    const day = clock.now().toISOString().slice(0, 10);
    for (const currency of ['USD', 'EUR', 'GBP']) {
      clock.advance(1);
      await caller.get(`/v1/accounts/${currency}`);
    }
    // Asking for the list is a call too: it falls on the day after.
    clock.advance(DAY_MS);
    await logsOf(caller, 3);
    const pages = await Promise.all(
      [1, 2].map(async (page) => listIn(await caller.get(`/v1/api_logs?per=2&page=${page}&created_at_to=${day}`))),
    );
    const urls = pages.map(({ object }) => object.map(({ request_url }) => request_url.slice(-3)));
    expect(urls).toEqual([['GBP', 'EUR'], ['USD']]);
    expect(pages.map(({ pagination }) => pagination)).toEqual([
      { current_page: 1, next_page: 2, prev_page: null, total_pages: 2, total_count: 3 },
      { current_page: 2, next_page: null, prev_page: 1, total_pages: 2, total_count: 3 },
    ]);
  });

  it('can be confined to days, both of them included', async () => {
    const { caller } = await newCaller();
    const midnight = new Date('2026-07-02T00:00:00.000Z').getTime();
    for (const at of [midnight - 1, midnight, midnight + DAY_MS - 1, midnight + DAY_MS]) {
      clock.set(new Date(at));
      await caller.get('/v1/accounts');
    }
    clock.advance(2 * DAY_MS);
    await logsOf(caller, 4);
    const count = async (query: string) => listIn(await caller.get(`/v1/api_logs?${query}`)).pagination['total_count'];
    expect(await count('created_at_to=2026-07-03')).toBe(4);
    expect(await count('created_at_from=2026-07-02&created_at_to=2026-07-03')).toBe(3);
    expect(await count('created_at_from=2026-07-02&created_at_to=2026-07-02')).toBe(2);
    expect(await count('created_at_from=2026-07-03&created_at_to=2026-07-02')).toBe(0);
  });

  it.each([['per=101'], ['page=0'], ['created_at_from=yesterday'], ['created_at_to=2026-02-30']])(
    'refuses %s',
    async (query) => {
      const { caller } = await newCaller();
      expect(wordsIn(await caller.get(`/v1/api_logs?${query}`))).toHaveLength(1);
    },
  );
});

describe('another account', () => {
  it('sees nothing of it: its ids answer as ids that do not exist', async () => {
    const { caller } = await newCaller();
    const { caller: stranger } = await newCaller();
    await caller.get('/v1/accounts');
    const [log] = await logsOf(caller, 1);
    const answers = await Promise.all(
      [log?.id, ids.next(), 'nothing', `urn:uuid:${log?.id}`].map((id) => stranger.get(`/v1/api_logs/${id}`)),
    );
    expect(answers.map(({ status, text }) => ({ status, text }))).toEqual(
      answers.map(() => ({ status: 404, text: answers[1]?.text })),
    );
    expect(await logsOf(stranger, 0)).toEqual([]);
  });
});

describe('after the retention', () => {
  it('a call is deleted, and not a moment before', async () => {
    const settings = settingsFor({ apiLogsRetention: '2d' });
    const { caller } = await newCaller();
    await caller.get('/v1/accounts');
    const [log] = await logsOf(caller, 1);
    const path = `/v1/api_logs/${log?.id}`;
    clock.advance(2 * DAY_MS);
    await dropOldApiLogs({ db, clock, settings });
    expect((await caller.get(path)).status).toBe(200);
    clock.advance(1);
    expect(await dropOldApiLogs({ db, clock, settings })).toBeGreaterThan(0);
    expect((await caller.get(path)).status).toBe(404);
  });
});
