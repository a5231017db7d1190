/**
 * Two accounts never see or touch each other's objects: wherever a call can name an object, the other account's gets
 * the very answer of one that does not exist. Which calls those are is read from the description of the interface: a
 * route that is added needs its rows here.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertApiLogs } from '../../server/src/api-logs/store.ts';
import { startApp, topUp } from '../support/app.ts';
import { collect } from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { deliverDue, realWorker, register } from '../support/deliveries.ts';
import { bodyOfPayout, OBI } from '../support/payout.ts';
import { BUSINESS, PERSON, PNG } from '../support/senders.ts';
import { type Answer, signedCaller } from '../support/signed-caller.ts';
import { create } from '../support/transactions.ts';
import { type Described, namedIds } from './named-ids.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const owner = await app.newAccount({ balances: { USD: 1_000_000n } });
const other = await app.newAccount({ balances: { USD: 1_000_000n } });

/** Stands in everything that the owner stores: an answer to the other account that holds it is a leak. */
const MARK = 'only-for-the-owner';
const metadata = { note: MARK };

function idIn({ body }: Answer): string {
  return String(Object(Object(body).object).id);
}

const document = { upload: PNG, upload_file_name: `${MARK}.png`, metadata };
const documentId = idIn(await owner.caller.post('/v1/documents', { document }));
const sender = { ...BUSINESS, name: MARK, external_id: 'sender-of-owner', metadata };
const senderId = idIn(await owner.caller.post('/v1/senders', { sender }));
const webhookId = await register(owner.caller, `http://127.0.0.1:9/${MARK}`, ['transaction.created']);
const transaction = await create(owner.caller, { externalId: 'payout-of-owner', over: { metadata } });
const apiLogId = app.ctx.ids.next();
await db.inTx((tx) =>
  insertApiLogs(tx, [
    {
      ...{ accountId: owner.accountId, apiLogId, requestMethod: 'GET', requestUrl: `http://x/${MARK}` },
      ...{ requestHeaders: {}, requestBody: '', responseStatus: 200, responseHeaders: {}, responseBody: '' },
      createdAt: app.clock.now(),
    },
  ]),
);
await deliverDue(realWorker(app.ctx));
const webhookLogId = String(Object((await owner.caller.get('/v1/logs/webhooks')).body).object[0].id);
await topUp(app.ctx, owner.accountId, { GBP: 5n });
const payoutMethod = { ...OBI, metadata };
const methodId = idIn(await owner.caller.post('/v1/payout_methods', { payout_method: payoutMethod }));
const collection = await collect(owner, { over: { metadata } });
const ownSenderId = idIn(await other.caller.post('/v1/senders', { sender: { ...PERSON, external_id: 'own' } }));

/** What is named: first the owner's, then something that nobody has. */
const NAMES = {
  transaction: [transaction.id, randomUUID()],
  recipient: [String(transaction.recipients[0]?.id), randomUUID()],
  payout: ['payout-of-owner', 'payout-of-nobody'],
  senderId: [senderId, randomUUID()],
  sender: ['sender-of-owner', 'sender-of-nobody'],
  document: [documentId, randomUUID()],
  payoutMethod: [methodId, randomUUID()],
  payinMethod: [collection.payin.id, randomUUID()],
  collection: [collection.id, randomUUID()],
  apiLog: [apiLogId, randomUUID()],
  webhook: [webhookId, randomUUID()],
  webhookLog: [webhookLogId, randomUUID()],
  currency: ['GBP', 'EUR'],
  account: [owner.accountId, randomUUID()],
  form: ['content', 'thumbnail'],
} as const;

interface Attempt {
  readonly kind: keyof typeof NAMES;
  readonly path: (name: string) => string;
  readonly body?: (name: string) => unknown;
}

const at = (kind: Attempt['kind'], prefix: string, body?: Attempt['body']): Attempt => ({
  kind,
  path: (name) => `${prefix}${name}`,
  ...(body && { body }),
});
const saying = (kind: Attempt['kind'], path: string, body: NonNullable<Attempt['body']>): Attempt => ({
  kind,
  path: () => path,
  body,
});

/** The address of a file, which nobody can sign but the service. Each part in turn is what is named. */
function ofFile(): Record<string, Attempt> {
  const file = (kind: Attempt['kind'], place: number): Attempt => ({
    kind,
    path: (name) => {
      const parts = [owner.accountId, NAMES.recipient[0], documentId, 'content'].with(place, name);
      return `/files/${parts.join('/')}?expires=${Date.now() * 2}&signature=${'ab'.repeat(32)}`;
    },
  });
  return {
    'path account_id': file('account', 0),
    'path recipient_id': file('recipient', 1),
    'path file_id': file('document', 2),
    'path form': file('form', 3),
  };
}

/** All four ways to price or create a transaction name the same things. */
function ofTransaction(path: string): Record<string, Attempt> {
  const payout = (wish: Parameters<typeof bodyOfPayout>[0]) => bodyOfPayout({ externalId: randomUUID(), ...wish });
  return {
    'body transaction.external_id': saying('payout', path, (externalId) => payout({ externalId })),
    'body transaction.sender.id': saying('senderId', path, (id) => payout({ sender: { id } })),
    'body transaction.sender.external_id': saying('sender', path, (name) => payout({ sender: { external_id: name } })),
    'body transaction.sender.documents[].id': saying('document', path, (id) =>
      payout({ sender: { ...PERSON, documents: [{ id }] } }),
    ),
  };
}

/** By call, and by the place in which it names something. */
const ATTEMPTS: Readonly<Record<string, Readonly<Record<string, Attempt>>>> = {
  'POST /v1/transactions': ofTransaction('/v1/transactions'),
  'POST /v1/transactions/create_and_fund': ofTransaction('/v1/transactions/create_and_fund'),
  'POST /v1/transactions/calculate': ofTransaction('/v1/transactions/calculate'),
  'POST /v1/transactions/validate': ofTransaction('/v1/transactions/validate'),
  'GET /v1/transactions': {
    'query external_id': at('payout', '/v1/transactions?external_id='),
    'query sender_id': at('senderId', '/v1/transactions?sender_id='),
  },
  'GET /v1/transactions/{id}': { 'path id': at('transaction', '/v1/transactions/') },
  'POST /v1/transactions/{id}/payout': {
    'path id': { kind: 'transaction', path: (id) => `/v1/transactions/${id}/payout` },
  },
  'POST /v1/transactions/{id}/payin': {
    'path id': { kind: 'collection', path: (id) => `/v1/transactions/${id}/payin`, body: () => ({}) },
  },
  'GET /v1/payin_methods/{id}': { 'path id': at('payinMethod', '/v1/payin_methods/') },
  'PATCH /v1/payin_methods/{id}': {
    'path id': at('payinMethod', '/v1/payin_methods/', () => ({ in_details: { otp: '123456' } })),
  },
  'DELETE /v1/payin_methods/{id}': { 'path id': at('payinMethod', '/v1/payin_methods/') },
  'POST /v1/payin_methods/{id}/retry': {
    'path id': { kind: 'payinMethod', path: (id) => `/v1/payin_methods/${id}/retry` },
  },
  'DELETE /v1/recipients/{id}': { 'path id': at('recipient', '/v1/recipients/') },
  'PATCH /v1/recipients/{id}': {
    'path id': at('recipient', '/v1/recipients/', () => ({
      recipient: { payout_method: { details: { first_name: 'Bisi' } } },
    })),
  },
  'GET /v1/recipients/{id}/proof_of_payments': {
    'path id': { kind: 'recipient', path: (id) => `/v1/recipients/${id}/proof_of_payments` },
  },
  'GET /files/{account_id}/{recipient_id}/{file_id}/{form}': ofFile(),
  'POST /v1/accounts/debits': {
    'body debit.to_id': saying('transaction', '/v1/accounts/debits', (id) => ({
      debit: { to_id: id, to_type: 'Transaction' },
    })),
    'body debit[].to_id': saying('transaction', '/v1/accounts/debits', (id) => ({
      debit: [{ to_id: id, to_type: 'Transaction', currency: 'USD', amount: 100 }],
    })),
  },
  'GET /v1/accounts/{currency}': { 'path currency': at('currency', '/v1/accounts/') },
  'GET /v1/senders': { 'query external_id': at('sender', '/v1/senders?external_id=') },
  'POST /v1/senders': {
    'body sender.id': saying('senderId', '/v1/senders', (id) => ({ sender: { id, city: 'Leeds' } })),
    'body sender.external_id': saying('sender', '/v1/senders', (name) => ({ sender: { external_id: name } })),
    'body sender.documents[].id': saying('document', '/v1/senders', (id) => ({
      sender: { ...PERSON, documents: [{ id }] },
    })),
  },
  'GET /v1/senders/{id}': { 'path id': at('senderId', '/v1/senders/') },
  'PATCH /v1/senders/{id}': {
    'path id': at('senderId', '/v1/senders/', () => ({ sender: { city: 'Leeds' } })),
    'body sender.id': saying('senderId', `/v1/senders/${ownSenderId}`, (id) => ({ sender: { id, city: 'Leeds' } })),
    'body sender.external_id': saying('sender', `/v1/senders/${ownSenderId}`, (name) => ({
      sender: { external_id: name },
    })),
    'body sender.documents[].id': saying('document', `/v1/senders/${ownSenderId}`, (id) => ({
      sender: { documents: [{ id }] },
    })),
  },
  'DELETE /v1/senders/{id}': { 'path id': at('senderId', '/v1/senders/') },
  'GET /v1/payout_methods': { 'query sender_id': at('senderId', '/v1/payout_methods?sender_id=') },
  'GET /v1/payout_methods/{id}': { 'path id': at('payoutMethod', '/v1/payout_methods/') },
  'PATCH /v1/payout_methods/{id}': {
    'path id': at('payoutMethod', '/v1/payout_methods/', () => ({ details: { first_name: 'Bisi' } })),
  },
  'DELETE /v1/payout_methods/{id}': { 'path id': at('payoutMethod', '/v1/payout_methods/') },
  'GET /v1/documents/{id}': { 'path id': at('document', '/v1/documents/') },
  'GET /v1/api_logs/{id}': { 'path id': at('apiLog', '/v1/api_logs/') },
  'GET /v1/webhooks/{id}': { 'path id': at('webhook', '/v1/webhooks/') },
  'DELETE /v1/webhooks/{id}': { 'path id': at('webhook', '/v1/webhooks/') },
  'GET /v1/logs/{id}': { 'path id': at('webhookLog', '/v1/logs/') },
  'POST /sandbox/webhooks/{id}/test': {
    'path id': { kind: 'webhook', path: (id) => `/sandbox/webhooks/${id}/test` },
  },
};

/** The whole answer; what was named and what was newly made are different things each time and stand as words. */
function comparable({ status, headers, text }: Answer, named: string): unknown {
  const { 'x-request-id': _, date: __, 'content-length': ___, ...rest } = headers;
  const shown = text.replaceAll(named, '<named>').replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<made>');
  return { status, headers: rest, text: shown };
}

/** Every row of every table that belongs to the account. */
async function everythingOf(accountId: string): Promise<unknown> {
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'account_id' order by 1`,
  );
  const rows: Record<string, unknown> = {};
  for (const { name } of tables) {
    rows[name] = await db.query(`select t::text as row from ${name} t where account_id = $1::uuid order by 1`, [
      accountId,
    ]);
  }
  return rows;
}

const ATTEMPTED = Object.entries(ATTEMPTS).flatMap(([call, places]) =>
  Object.entries(places).map(([place, attempt]) => [call, place, attempt] as const),
);

describe("another account's objects", async () => {
  const described: Described = JSON.parse(await (await fetch(`${app.baseUrl}/openapi.json`)).text());
  const before = await everythingOf(owner.accountId);

  it('are tried at every place where a call of the interface names something', () => {
    // Providers belong to the operator, and callbacks come from no account.
    const naming = Object.entries(namedIds(described)).filter(
      ([call, places]) => places.length > 0 && !call.startsWith('POST /providers/'),
    );
    const attempted = Object.entries(ATTEMPTS).map(([call, places]) => [call, Object.keys(places).toSorted()] as const);
    expect(Object.fromEntries(attempted)).toEqual(Object.fromEntries(naming));
  });

  it.each(ATTEMPTED)('%s, %s: answered as if there were none', async (call, _place, { kind, path, body }) => {
    const method = call.split(' ')[0] ?? '';
    const [answer, expected] = await Promise.all(
      NAMES[kind].map(async (name) => {
        // A caller of its own for each: what one connection was answered cannot show in the other's headers.
        const caller = signedCaller({ baseUrl: app.baseUrl, key: other.key, secret: other.secret });
        const got = await caller.send(method, path(name), body?.(name));
        caller.close();
        expect(got.status, got.text).toBeLessThan(500);
        return { got, shown: comparable(got, name) };
      }),
    );
    expect(answer?.shown).toEqual(expected?.shown);
    expect(answer?.got.text).not.toContain(MARK);
  });

  it('are as they were after all of that', async () => {
    expect(await everythingOf(owner.accountId)).toEqual(before);
  });

  it('are there for their owner', async () => {
    const answers = await Promise.all(
      [
        `/v1/transactions/${NAMES.transaction[0]}`,
        `/v1/senders/${NAMES.senderId[0]}`,
        `/v1/documents/${NAMES.document[0]}`,
        `/v1/api_logs/${NAMES.apiLog[0]}`,
        `/v1/payout_methods/${NAMES.payoutMethod[0]}`,
        `/v1/accounts/${NAMES.currency[0]}`,
      ].map((path) => owner.caller.get(path)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  });
});
