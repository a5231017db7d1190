/** Every endpoint answers what its description says: with what was asked for, with a refusal and with a failure. */

import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { insertApiLogs } from '../../server/src/api-logs/store.ts';
import { OPERATIONS } from '../../server/src/http/openapi/operations.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { Deliveries } from '../../server/src/webhooks/deliver.ts';
import { ScriptedPayer } from '../payins/scripted-payer.ts';
import { ScriptedProvider } from '../providers/scripted-provider.ts';
import { startApp } from '../support/app.ts';
import { bodyOfCollection, collect } from '../support/collections.ts';
import { type CheckedAnswer, conformanceOf } from '../support/conformance.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, register, scriptedClient } from '../support/deliveries.ts';
import { bodyOfPayout, OBI } from '../support/payout.ts';
import { fundPayout } from '../support/payouts.ts';
import { BUSINESS, PERSON, PNG } from '../support/senders.ts';
import { signedCaller } from '../support/signed-caller.ts';
import { create, type TransactionView } from '../support/transactions.ts';

const { db } = await freshDatabase();
const calling = Object.assign(new ScriptedProvider('calling'), { parseCallback: () => [] });
const collecting = Object.assign(new ScriptedPayer('collecting'), { parseCallback: () => [] });
const app = await startApp({ db, calling: [calling], payinProviders: [collecting] });
const account = await app.newAccount({ balances: { USD: 1_000_000n } });
const { caller, accountId } = account;
const conformance = present(await conformanceOf(app.baseUrl), 'description of the interface');

const payout = await create(caller, { externalId: 'kept' });
const toFund = await create(caller);
const collection = await collect(account);
const payin = `/v1/payin_methods/${collection.payin.id}`;
collecting.standard({ does: 'wait' });
const failing = await collect(account);
collecting.script(failing.payin.id, { does: 'fail', code: '412' });
const document = { upload: PNG, upload_file_name: 'id.png', document_type: 'passport', metadata: { a: 1 } };
const documentId = idIn(await caller.post('/v1/documents', { document }));
const senderId = idIn(await caller.post('/v1/senders', { sender: { ...BUSINESS, external_id: 'business' } }));
const person = { ...PERSON, politically_exposed_people: [{ name: 'A' }], documents: [{ id: documentId }] };

function idIn({ body }: { readonly body: unknown }): string {
  return String(Object(Object(body).object).id);
}

function recipientOf({ recipients: [recipient] }: TransactionView): string {
  return present(recipient, 'recipient').id;
}

const changed = (details: object) => ({ recipient: { payout_method: { details } } });
const payoutMethodId = idIn(await caller.post('/v1/payout_methods', { payout_method: OBI }));
const debit = { to_id: toFund.id, to_type: 'Transaction' };
const NOBODY = '01900000-0000-7000-8000-00000000dead';

const apiLogId = app.ctx.ids.next();
const headers = { 'content-type': 'application/json' };
const log = { requestMethod: 'GET', requestUrl: 'http://x/v1/accounts', requestHeaders: headers, requestBody: '' };
const answered = { responseStatus: 200, responseHeaders: headers, responseBody: '{}', createdAt: app.clock.now() };
await db.inTx((tx) => insertApiLogs(tx, [{ accountId, apiLogId, ...log, ...answered }]));

const PROOFS = 'GET /v1/recipients/:id/proof_of_payments';
const FILE = 'GET /files/:account_id/:recipient_id/:file_id/:form';
const paid = await fundPayout(account, 'Paid');
await app.engine.run();
const proofs = await caller.get(`/v1/recipients/${paid.recipient.id}/proof_of_payments`);
const receiptPath = String(Object(proofs.body).object[0].url).replace(app.baseUrl, '');
const DAY_BEFORE = '2026-11-14T00:00:00Z';
const DAY_AFTER = '2026-11-16T00:00:00.000Z';
const webhookId = await register(caller, 'http://127.0.0.1:9/hooks', ['transaction.created']);
await create(caller);
await deliverDue(new Deliveries(app.ctx, { httpClient: scriptedClient() }));
const webhookLogId = idIn({ body: { object: Object((await caller.get('/v1/logs/webhooks')).body).object[0] } });

const VALIDATIONS = 'POST /v1/account_validations';
const accountInNigeria = { country: 'NG', currency: 'NGN', method: 'bank', bank_code: '058' };

/** One row for each way in which an endpoint answers. */
const CALLS: readonly (readonly [operation: string, path: string, body: unknown, status: number])[] = [
  ['POST /v1/transactions', '/v1/transactions', bodyOfPayout(), 201],
  ['POST /v1/transactions', '/v1/transactions', bodyOfPayout({ externalId: 'kept' }), 422],
  ['POST /v1/transactions', '/v1/transactions', { transaction: { recipients: [{}, 1], sender: 'x' } }, 422],
  ['POST /v1/transactions', '/v1/transactions', {}, 422],
  ['POST /v1/transactions', '/v1/transactions', bodyOfCollection(), 201],
  ['POST /v1/transactions', '/v1/transactions', bodyOfCollection({ inDetails: {} }), 422],
  ['POST /v1/transactions/calculate', '/v1/transactions/calculate', bodyOfCollection(), 200],
  ['POST /v1/transactions/create_and_fund', '/v1/transactions/create_and_fund', bodyOfPayout(), 201],
  [
    'POST /v1/transactions/create_and_fund',
    '/v1/transactions/create_and_fund',
    bodyOfPayout({ amount: '900000' }),
    422,
  ],
  ['POST /v1/transactions/calculate', '/v1/transactions/calculate', bodyOfPayout(), 200],
  ['POST /v1/transactions/calculate', '/v1/transactions/calculate', { transaction: [] }, 422],
  ['POST /v1/transactions/validate', '/v1/transactions/validate', bodyOfPayout(), 200],
  ['POST /v1/transactions/validate', '/v1/transactions/validate', bodyOfPayout({ amount: 'x' }), 422],
  ['GET /v1/transactions', '/v1/transactions?per=2', undefined, 200],
  ['GET /v1/transactions', '/v1/transactions?per=0', undefined, 422],
  ['GET /v1/transactions/:id', `/v1/transactions/${payout.id}`, undefined, 200],
  ['GET /v1/transactions/:id', `/v1/transactions/${NOBODY}`, undefined, 404],
  ['PATCH /v1/recipients/:id', `/v1/recipients/${recipientOf(payout)}`, changed({ bank_account: '1234567811' }), 200],
  ['PATCH /v1/recipients/:id', `/v1/recipients/${recipientOf(payout)}`, changed({ bank_code: 'x' }), 422],
  ['PATCH /v1/recipients/:id', `/v1/recipients/${NOBODY}`, changed({}), 404],
  ['DELETE /v1/recipients/:id', `/v1/recipients/${recipientOf(payout)}`, undefined, 200],
  ['DELETE /v1/recipients/:id', `/v1/recipients/${NOBODY}`, undefined, 404],
  ['PATCH /v1/recipients/:id', `/v1/recipients/${recipientOf(payout)}`, changed({}), 422],
  ['GET /v1/recipients', '/v1/recipients?state=initial&currency=USD&amount_from=1', undefined, 200],
  ['GET /v1/recipients', '/v1/recipients?amount_from=1', undefined, 422],
  [PROOFS, `/v1/recipients/${paid.recipient.id}/proof_of_payments`, undefined, 200],
  [PROOFS, `/v1/recipients/${NOBODY}/proof_of_payments`, undefined, 404],
  [FILE, receiptPath, undefined, 200],
  [FILE, `${receiptPath}x`, undefined, 404],
  ['POST /v1/accounts/debits', '/v1/accounts/debits', { debit: [debit] }, 200],
  ['POST /v1/accounts/debits', '/v1/accounts/debits', { debit }, 422],
  ['POST /v1/accounts/debits', '/v1/accounts/debits', { debit: [debit, null, 'x'] }, 422],
  ['POST /v1/transactions/:id/payout', `/v1/transactions/${toFund.id}/payout`, undefined, 200],
  ['POST /v1/transactions/:id/payout', `/v1/transactions/${payout.id}/payout`, undefined, 422],
  ['POST /v1/transactions/:id/payout', `/v1/transactions/${NOBODY}/payout`, undefined, 404],
  ['DELETE /v1/recipients/:id', `/v1/recipients/${recipientOf(toFund)}`, undefined, 422],
  ['GET /v1/payin_methods/:id', payin, undefined, 200],
  ['GET /v1/payin_methods/:id', `/v1/payin_methods/${NOBODY}`, undefined, 404],
  ['PATCH /v1/payin_methods/:id', payin, { in_details: { phone_number: '+221771234711' } }, 200],
  ['PATCH /v1/payin_methods/:id', payin, { in_details: { phone_number: 'x' } }, 422],
  ['PATCH /v1/payin_methods/:id', `/v1/payin_methods/${NOBODY}`, {}, 404],
  ['POST /v1/payin_methods/:id/retry', `/v1/payin_methods/${failing.payin.id}/retry`, undefined, 200],
  ['POST /v1/payin_methods/:id/retry', `${payin}/retry`, undefined, 422],
  ['POST /v1/payin_methods/:id/retry', `/v1/payin_methods/${NOBODY}/retry`, undefined, 404],
  ['POST /v1/transactions/:id/payin', `/v1/transactions/${payout.id}/payin`, {}, 422],
  ['POST /v1/transactions/:id/payin', `/v1/transactions/${collection.id}/payin`, { payin_method: {} }, 200],
  ['POST /v1/transactions/:id/payin', `/v1/transactions/${NOBODY}/payin`, {}, 404],
  ['DELETE /v1/payin_methods/:id', payin, undefined, 422],
  ['DELETE /v1/payin_methods/:id', `/v1/payin_methods/${failing.payin.id}`, undefined, 200],
  ['DELETE /v1/payin_methods/:id', `/v1/payin_methods/${NOBODY}`, undefined, 404],
  ['POST /providers/:name/payin_callbacks', '/providers/collecting/payin_callbacks', {}, 200],
  ['POST /providers/:name/payin_callbacks', '/providers/nobody/payin_callbacks', {}, 404],
  ['GET /sandbox/clock', '/sandbox/clock', undefined, 200],
  ['POST /sandbox/clock', '/sandbox/clock', { seconds: 1 }, 200],
  ['POST /sandbox/clock', '/sandbox/clock', { seconds: -1 }, 422],
  ['GET /v1/accounts', '/v1/accounts', undefined, 200],
  ['GET /v1/accounts/:currency', '/v1/accounts/USD', undefined, 200],
  ['GET /v1/accounts/:currency', '/v1/accounts/usd', undefined, 404],
  ['POST /v1/senders', '/v1/senders', { sender: person }, 200],
  ['POST /v1/senders', '/v1/senders', { sender: { ...BUSINESS, external_id: 'business' } }, 422],
  ['POST /v1/senders', '/v1/senders', { sender: { documents: [1, {}] } }, 422],
  ['GET /v1/senders', '/v1/senders?per=100', undefined, 200],
  ['GET /v1/senders', '/v1/senders?created_at_from=x', undefined, 422],
  ['GET /v1/senders/:id', `/v1/senders/${senderId}`, undefined, 200],
  ['GET /v1/senders/:id', '/v1/senders/x', undefined, 404],
  ['PATCH /v1/senders/:id', `/v1/senders/${senderId}`, { sender: { city: 'Leeds' } }, 200],
  ['PATCH /v1/senders/:id', `/v1/senders/${senderId}`, { sender: { country: 1 } }, 422],
  ['PATCH /v1/senders/:id', `/v1/senders/${NOBODY}`, { sender: { city: 'Leeds' } }, 404],
  ['DELETE /v1/senders/:id', `/v1/senders/${senderId}`, undefined, 200],
  ['DELETE /v1/senders/:id', `/v1/senders/${NOBODY}`, undefined, 404],
  ['POST /v1/documents', '/v1/documents', { document }, 200],
  ['POST /v1/documents', '/v1/documents', { document: { upload: 'x' } }, 422],
  ['GET /v1/documents', '/v1/documents', undefined, 200],
  ['GET /v1/documents', '/v1/documents?page=x', undefined, 422],
  ['GET /v1/documents/:id', `/v1/documents/${documentId}`, undefined, 200],
  ['GET /v1/documents/:id', `/v1/documents/${NOBODY}`, undefined, 404],
  ['POST /v1/payout_methods', '/v1/payout_methods', { payout_method: OBI }, 200],
  ['POST /v1/payout_methods', '/v1/payout_methods', { payout_method: { type: 'NGN::Bank', details: [] } }, 422],
  ['GET /v1/payout_methods', '/v1/payout_methods?state=enabled&type=NGN%3A%3ABank', undefined, 200],
  ['GET /v1/payout_methods', '/v1/payout_methods?state=lost', undefined, 422],
  ['GET /v1/payout_methods/:id', `/v1/payout_methods/${payoutMethodId}`, undefined, 200],
  ['GET /v1/payout_methods/:id', `/v1/payout_methods/${NOBODY}`, undefined, 404],
  ['PATCH /v1/payout_methods/:id', `/v1/payout_methods/${payoutMethodId}`, { metadata: { a: 1 } }, 200],
  ['PATCH /v1/payout_methods/:id', `/v1/payout_methods/${payoutMethodId}`, { type: 'GHS::Bank' }, 422],
  ['PATCH /v1/payout_methods/:id', `/v1/payout_methods/${NOBODY}`, {}, 404],
  ['DELETE /v1/payout_methods/:id', `/v1/payout_methods/${payoutMethodId}`, undefined, 200],
  ['DELETE /v1/payout_methods/:id', `/v1/payout_methods/${NOBODY}`, undefined, 404],
  [VALIDATIONS, '/v1/account_validations', { ...accountInNigeria, bank_account: '1234567890' }, 200],
  [VALIDATIONS, '/v1/account_validations', { ...accountInNigeria, bank_account: '1234567839' }, 422],
  [VALIDATIONS, '/v1/account_validations', { country: 'KE', currency: 'KES', method: 'bank' }, 422],
  [VALIDATIONS, '/v1/account_validations', [], 422],
  ['GET /v1/info/currencies', '/v1/info/currencies', undefined, 200],
  ['GET /v1/info/currencies/in', '/v1/info/currencies/in', undefined, 200],
  ['GET /v1/info/currencies/out', '/v1/info/currencies/out', undefined, 200],
  ['GET /info/currencies/out', '/info/currencies/out', undefined, 200],
  ['GET /v1/info/payment_methods/out', '/v1/info/payment_methods/out', undefined, 200],
  ['GET /v1/info/payment_methods/in', '/v1/info/payment_methods/in', undefined, 200],
  ['GET /v1/api_logs', '/v1/api_logs', undefined, 200],
  ['GET /v1/api_logs', '/v1/api_logs?per=0', undefined, 422],
  ['GET /v1/api_logs/:id', `/v1/api_logs/${apiLogId}`, undefined, 200],
  ['GET /v1/api_logs/:id', `/v1/api_logs/${NOBODY}`, undefined, 404],
  ['POST /providers/:name/callbacks', '/providers/calling/callbacks', {}, 200],
  ['POST /providers/:name/callbacks', '/providers/nobody/callbacks', {}, 404],
  ['POST /v1/webhooks', '/v1/webhooks', { webhook: { url: 'http://127.0.0.1:9/x', events: ['sender.approved'] } }, 200],
  ['POST /v1/webhooks', '/v1/webhooks', { webhook: { url: 'x', events: [] } }, 422],
  ['POST /v1/webhooks', '/v1/webhooks', {}, 422],
  ['GET /v1/webhooks', '/v1/webhooks', undefined, 200],
  ['GET /v1/webhooks', '/v1/webhooks?per=0', undefined, 422],
  ['GET /v1/webhooks/events', '/v1/webhooks/events', undefined, 200],
  ['GET /v1/webhooks/:id', `/v1/webhooks/${webhookId}`, undefined, 200],
  ['GET /v1/webhooks/:id', `/v1/webhooks/${NOBODY}`, undefined, 404],
  ['POST /sandbox/webhooks/:id/test', `/sandbox/webhooks/${webhookId}/test`, undefined, 200],
  ['POST /sandbox/webhooks/:id/test', `/sandbox/webhooks/${NOBODY}/test`, undefined, 404],
  ['POST /sandbox/webhooks/redeliver', '/sandbox/webhooks/redeliver', { from: DAY_BEFORE, to: DAY_AFTER }, 200],
  ['POST /sandbox/webhooks/redeliver', '/sandbox/webhooks/redeliver', { event_id: NOBODY }, 422],
  ['POST /sandbox/webhooks/redeliver', '/sandbox/webhooks/redeliver', { from: DAY_AFTER, to: DAY_BEFORE }, 422],
  ['GET /v1/logs/webhooks', '/v1/logs/webhooks', undefined, 200],
  ['GET /v1/logs/webhooks', '/v1/logs/webhooks?page=0', undefined, 422],
  ['GET /v1/logs/:id', `/v1/logs/${webhookLogId}`, undefined, 200],
  ['GET /v1/logs/:id', `/v1/logs/${NOBODY}`, undefined, 404],
  ['DELETE /v1/webhooks/:id', `/v1/webhooks/${webhookId}`, undefined, 200],
  ['DELETE /v1/webhooks/:id', `/v1/webhooks/${webhookId}`, undefined, 404],
  ['GET /health/live', '/health/live', undefined, 200],
  ['GET /health/ready', '/health/ready', undefined, 200],
  ['GET /openapi.json', '/openapi.json', undefined, 200],
  ['GET /reference', '/reference', undefined, 200],
];

describe('the description is kept by', () => {
  it.each(CALLS)('%s at %s with %j, which answers %i', async (operation, path, body, status) => {
    const method = present(operation.split(' ')[0], 'method');
    const answer = await caller.send(method, path, body);
    expect(answer.status, answer.text).toBe(status);
    expect(conformance.faultsIn({ method, path }, answer)).toEqual([]);
  });

  it('every endpoint: none is left out above', () => {
    const succeeding = CALLS.filter(([, , , status]) => status < 300).map(([operation]) => operation);
    expect([...new Set(succeeding)].toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
  });

  it.each([
    ['a wrong signature', { signature: 'ab'.repeat(64) }, 401],
    ['a body that is not JSON', { rawBody: '{' }, 400],
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
  ])('the answer to %s', async (_what, options, status) => {
    const answer = await caller.post('/v1/senders', { sender: person }, options);
    expect(answer.status, answer.text).toBe(status);
    expect(conformance.faultsIn({ method: 'POST', path: '/v1/senders' }, answer)).toEqual([]);
  });
});

describe('every caller of the tests', () => {
  const responses = { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'null' } } } } };
  const described = { paths: { '/told': { get: { responses } } }, components: {} };

  it('fails at an answer that is not as described', async () => {
    const server = createServer(({ url }, reply) => {
      if (url === '/openapi.json') return reply.end(JSON.stringify(described));
      if (url?.endsWith('fails')) return reply.writeHead(500).end('{"status":500,"error":"x"}');
      return reply.end('1');
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${Object(server.address()).port}`;
    const one = signedCaller({ baseUrl, key: 'k', secret: 's' });
    await expect(one.get('/told')).rejects.toThrow('GET /told 200: / must be null in 1');
    await expect(one.get('/told?fails')).rejects.toThrow('GET /told answers 500, which is not described');
    expect(await one.get('/untold')).toMatchObject({ status: 200, body: 1 });
    one.close();
    server.closeAllConnections();
    server.close();
  });
});

describe('the check itself', () => {
  const call = { method: 'GET', path: '/v1/accounts' };
  const answered = (status: number, body: unknown): CheckedAnswer => ({ status, body, text: JSON.stringify(body) });
  const meta = { negative_balance: false };
  const PROBLEM = { status: 401, error: 'x' };
  const HAS_ID = { 'x-request-id': 'x' };

  it.each([
    ['a field is missing', answered(200, { meta, object: [{ amount: 1 }] })],
    ['a field has another type', answered(200, { meta, object: [{ amount: '1', currency: 'USD' }] })],
    ['a field is not described', answered(200, { meta, object: [{ amount: 1, currency: 'USD', more: 1 }] })],
    ['a status is not described', answered(204, undefined)],
    ['a failure that callers act on is not described', answered(404, PROBLEM)],
    ['a refusal is not described', answered(422, { object: {}, errors: {} })],
    ['a failure has another form', answered(500, { message: 'x' })],
    ['a header is not described', { ...answered(401, PROBLEM), headers: { ...HAS_ID, 'retry-after': '1' } }],
    ['a header is missing', { ...answered(401, PROBLEM), headers: {} }],
  ])('finds that %s', (_what, answer) => {
    expect(conformance.faultsIn(call, answer)).not.toEqual([]);
  });

  it('finds nothing where all is as described', () => {
    const answer = answered(200, { meta, object: [{ amount: 1, currency: 'USD' }] });
    expect(conformance.faultsIn(call, answer)).toEqual([]);
    expect(conformance.faultsIn(call, { ...answered(418, PROBLEM), headers: HAS_ID })).toEqual([]);
  });
});
