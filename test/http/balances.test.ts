/** Spec: Endpoints 10 and 11, Account balance. */
import { describe, expect, it } from 'vitest';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import type { EntryName } from '../../server/src/ledger/chart.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import { freshDatabase } from '../support/database.ts';
import { callerOf, ids, makeAccount, makeKey, startEdge } from './edge.ts';

const { db } = await freshDatabase();
const edge = await startEdge({ db });
const objectForm = await startEdge({ db, flags: { accountsSingleForm: 'object' } });
const rich = await makeAccount(db);
const poor = await makeAccount(db, { negativeBalance: true });

async function post(accountId: string, entry: EntryName, currency: string, minor: bigint): Promise<void> {
  const ledgerAccounts = ['treasury', 'balance', 'held'] as const;
  await db.inTx(async (tx) => {
    const book = await openBook(
      tx,
      ledgerAccounts.map((ledgerAccount) => ({ accountId, currency, ledgerAccount })),
    );
    book.post(makeEntry(ids, entry, { accountId, postedAt: new Date(), amounts: [{ currency, minor }] }));
    await writeBook(tx, book);
  });
}

await post(rich.accountId, 'top_up', 'USD', 100_050n);
await post(rich.accountId, 'top_up', 'XOF', 1_500n);
await post(rich.accountId, 'top_up', 'EUR::Partner', 20_000n);
await post(rich.accountId, 'fund', 'EUR::Partner', 5_000n);
await post(rich.accountId, 'fund', 'USD', 50n);
await post(poor.accountId, 'top_up', 'GBP', 1n);
await post(poor.accountId, 'take_out', 'GBP', 5n);

const caller = callerOf(edge, rich);

describe('GET /v1/accounts', () => {
  it('answers with the balance of each currency, without what is funded', async () => {
    const answer = await caller.get('/v1/accounts');
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: {
        meta: { negative_balance: false },
        object: [
          { amount: 150, currency: 'EUR::Partner', amount_after_pending: 150 },
          { amount: 1000, currency: 'USD' },
          { amount: 1500, currency: 'XOF' },
        ],
      },
    });
  });

  it('says whether the balance may go below zero, and shows one that did', async () => {
    expect((await callerOf(edge, poor).get('/v1/accounts')).body).toEqual({
      meta: { negative_balance: true },
      object: [{ amount: -0.04, currency: 'GBP' }],
    });
  });

  it('answers with an empty list for an account without balances', async () => {
    const empty = callerOf(edge, await makeAccount(db));
    expect((await empty.get('/v1/accounts')).body).toEqual({ meta: { negative_balance: false }, object: [] });
  });
});

describe('GET /v1/accounts/{currency}', () => {
  it('answers with a list of one, as the specification shows', async () => {
    expect(await caller.get('/v1/accounts/USD')).toMatchObject({
      status: 200,
      body: { meta: { negative_balance: false }, object: [{ amount: 1000, currency: 'USD' }] },
    });
  });

  it('answers with the object alone where the operator chose that form', async () => {
    expect((await callerOf(objectForm, rich).get('/v1/accounts/USD')).body).toEqual({
      meta: { negative_balance: false },
      object: { amount: 1000, currency: 'USD' },
    });
    expect((await callerOf(objectForm, rich).get('/v1/accounts')).body).toMatchObject({ object: expect.any(Array) });
  });

  it('takes the name of a partner, escaped or not', async () => {
    for (const name of ['EUR::Partner', 'EUR%3A%3APartner']) {
      expect(await caller.get(`/v1/accounts/${name}`)).toMatchObject({
        status: 200,
        body: { object: [{ amount: 150, currency: 'EUR::Partner', amount_after_pending: 150 }] },
      });
    }
  });

  it.each(['usd', 'Usd', 'JPY', 'ABC', 'USD::', 'USD::Partner', 'debits', '%F0%9F%92%B6', '1', 'USD%20'])(
    'answers with 404 for %s',
    async (name) => {
      const answer = await caller.get(`/v1/accounts/${name}`);
      expect(answer).toMatchObject({ status: 404, body: { status: 404 } });
    },
  );

  it('does not show the balance of another account', async () => {
    expect((await callerOf(edge, poor).get('/v1/accounts/USD')).status).toBe(404);
    expect((await caller.get('/v1/accounts/GBP')).status).toBe(404);
  });

  it('is the same for every key of the account', async () => {
    const second = callerOf(edge, await makeKey(db, rich.accountId));
    expect((await second.get('/v1/accounts/USD')).body).toEqual((await caller.get('/v1/accounts/USD')).body);
  });

  it('under the name of a partner takes off what waits to be funded and still may be', async () => {
    const owner = await makeAccount(db);
    await post(owner.accountId, 'top_up', 'GBP::Partner', 10_000n);
    const hour = 3_600_000;
    await insertTransaction(owner.accountId, { state: 'approved', minor: 1_000n, expiresInMs: hour });
    await insertTransaction(owner.accountId, { state: 'initial', minor: 500n, expiresInMs: hour });
    await insertTransaction(owner.accountId, { state: 'approved', minor: 70n, expiresInMs: -1 });
    await insertTransaction(owner.accountId, { state: 'received', minor: 8n, expiresInMs: hour });
    expect((await callerOf(edge, owner).get('/v1/accounts/GBP%3A%3APartner')).body).toMatchObject({
      object: [{ amount: 100, currency: 'GBP::Partner', amount_after_pending: 85 }],
    });
  });
});

async function insertTransaction(
  accountId: string,
  { state, minor, expiresInMs }: { state: string; minor: bigint; expiresInMs: number },
): Promise<void> {
  const now = Date.now();
  await db.execute(
    `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
       is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at)
     values ($1::uuid, $2::uuid, $3::uuid, $4, 'GBP::Partner', $5, 0, false, true, false, '{}', 0, $6, $7)`,
    [accountId, ids.next(), ids.next(), state, minor, new Date(now), new Date(now + expiresInMs)],
  );
}
