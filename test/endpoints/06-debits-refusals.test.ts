/** Endpoint 6, refusals: every reason, from both sides, and that nothing moves. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA } from '../support/payout.ts';
import { countRows, difference, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { create, createAndFund, debit, debitsIn, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';
import { untilWaiting } from '../support/waiting.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
afterAll(() => expectSoundLedger(db));
const HOUR_MS = 3_600_000;

/** An account that has paid before, with 1000 USD left and a transaction that waits for 100 of them. */
async function waiting(): Promise<TestAccount & { id: string }> {
  const account = await app.newAccount({ balances: { USD: 100_100n } });
  expect((await createAndFund(account.caller, { amount: 1 })).status).toBe(201);
  return { ...account, id: (await create(account.caller, { amount: 100 })).id };
}

const setColumn = (id: string, assignment: string) =>
  db.execute(`update transactions set ${assignment} where transaction_id = $1::uuid`, [id]);

describe('a debit that is not well formed', () => {
  it.each<[string, unknown, string[]]>([
    ['is not there', undefined, ['debit: blank']],
    ['is null', null, ['debit: blank']],
    ['is text', 'all', ['0.base: invalid']],
    ['is a list of text', ['all'], ['0.base: invalid']],
    ['is empty', {}, ['0.to_id: blank', '0.to_type: blank']],
    ['has an id of no form', { to_id: 'mine', to_type: 'Transaction' }, ['0.to_id: not_found']],
    ['has an id that is a number', { to_id: 7, to_type: 'Transaction' }, ['0.to_id: invalid']],
    [
      'goes to something else',
      { to_id: '01900000-0000-7000-8000-000000000001', to_type: 'Sender' },
      ['0.to_type: not_in_list'],
    ],
    [
      'writes the type in small letters',
      { to_id: '01900000-0000-7000-8000-000000000001', to_type: 'transaction' },
      ['0.to_type: not_in_list'],
    ],
    [
      'has a currency that is a number',
      { to_type: 'Transaction', to_id: '', currency: 1 },
      ['0.to_id: blank', '0.currency: invalid'],
    ],
    [
      'has metadata that is text',
      { to_type: 'x', to_id: 'y', metadata: 'z' },
      ['0.to_id: not_found', '0.to_type: not_in_list', '0.metadata: invalid'],
    ],
  ])('%s', async (_, written, words) => {
    const { caller } = await app.newAccount();
    const before = await countRows(db);
    const answer = await caller.post('/v1/accounts/debits', { debit: written });
    expect(wordsIn(answer)).toEqual(words);
    expect(Array.isArray(refusedIn(answer).object)).toBe(true);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });
});

describe('a debit that is refused', () => {
  it.each<[string, (account: TestAccount & { id: string }) => Promise<object | undefined>, string]>([
    ['because nobody has such a transaction', async () => ({ to_id: app.ctx.ids.next() }), 'to_id: not_found'],
    [
      'because it is a collection',
      async ({ id }) => void (await setColumn(id, 'is_collection = true')),
      'base: collection_not_debited',
    ],
    ['because it is canceled', async ({ id }) => void (await setColumn(id, `state = 'canceled'`)), 'base: canceled'],
    ['because it was funded before', async ({ caller, id }) => void (await debit(caller, id)), 'base: already_funded'],
    [
      'because it waits for its sender',
      async ({ id }) => void (await setColumn(id, `state = 'initial'`)),
      'base: sender_not_approved',
    ],
    ['because of another currency', async () => ({ currency: 'EUR' }), 'currency: currency_mismatch'],
    ['because of a currency in small letters', async () => ({ currency: 'usd' }), 'currency: currency_mismatch'],
    ['because of another amount', async () => ({ amount: '100.01' }), 'amount: amount_mismatch'],
    ['because of an amount that rounds to another', async () => ({ amount: 99.999 }), 'amount: amount_mismatch'],
    ['because of an amount that is none', async () => ({ amount: 'all' }), 'amount: not_a_number'],
    ['because of an amount of zero', async () => ({ amount: 0 }), 'amount: not_positive'],
    ['because of an amount that is too large', async () => ({ amount: '1e20' }), 'amount: too_large'],
  ])('%s', async (_, prepare, word) => {
    const account = await waiting();
    const fields = (await prepare(account)) ?? {};
    const before = await countRows(db);
    const ledger = await ledgerOf(db, account.accountId, 'USD');
    const answer = await debit(account.caller, account.id, fields);
    expect(wordsIn(answer)).toEqual([`0.${word}`]);
    const [field = '', error] = word.split(': ');
    // The element comes back as it was sent, with its errors inside.
    const sent = { to_id: account.id, to_type: 'Transaction', ...fields };
    expect(debitsIn(answer, 422)).toEqual([{ ...sent, errors: { [field]: [{ error }] } }]);
    // What is wrong with the debit as a whole is also told in words.
    expect(Reflect.has(refusedIn(answer), 'meta')).toBe(field === 'base');
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    expect(await ledgerOf(db, account.accountId, 'USD')).toEqual(ledger);
  });

  it('because the balance lacks a cent; with that cent it is funded', async () => {
    const account = await app.newAccount({ balances: { USD: 9_999n } });
    const { id } = await create(account.caller, { amount: 100 });
    expect(wordsIn(await debit(account.caller, id))).toEqual(['0.base: insufficient_balance']);
    expect(await ledgerOf(db, account.accountId, 'USD')).toEqual({ balance: 9_999n, treasury: -9_999n });
    const smaller = await create(account.caller, { amount: '99.99' });
    expect(debitsIn(await debit(account.caller, smaller.id), 200)).toMatchObject([{ running_balance: 0 }]);
    await expectSoundLedger(db, account.accountId);
  });

  it('because the account never had money in that currency', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(account.caller, { amount: 1, requestedCurrency: 'EUR', inputCurrency: 'EUR' });
    expect(wordsIn(await debit(account.caller, id))).toEqual(['0.base: insufficient_balance']);
  });

  it('for the first reason only: a wrong amount of an expired transaction is not looked at', async () => {
    const account = await waiting();
    app.clock.advance(HOUR_MS);
    expect(wordsIn(await debit(account.caller, account.id, { amount: 1 }))).toEqual(['0.base: expired']);
  });
});

describe('the hour', () => {
  it('is not over one millisecond before expires_at', async () => {
    const account = await waiting();
    app.clock.advance(HOUR_MS - 1);
    expect((await debit(account.caller, account.id)).status).toBe(200);
  });

  it('is over at expires_at, to the millisecond, although no worker has canceled anything', async () => {
    const account = await waiting();
    const { expires_at } = transactionIn(await account.caller.get(`/v1/transactions/${account.id}`), 200);
    app.clock.advance(HOUR_MS);
    expect(app.clock.now()).toEqual(new Date(expires_at));
    expect(wordsIn(await debit(account.caller, account.id))).toEqual(['0.base: expired']);
    expect(transactionIn(await account.caller.get(`/v1/transactions/${account.id}`), 200).state).toBe('approved');
  });

  it('refuses a whole list for one that is over', async () => {
    const account = await waiting();
    app.clock.advance(HOUR_MS / 2);
    const later = await create(account.caller);
    app.clock.advance(HOUR_MS / 2);
    const debits = [later.id, account.id].map((to_id) => ({ to_id, to_type: 'Transaction' }));
    expect(wordsIn(await account.caller.post('/v1/accounts/debits', { debit: debits }))).toEqual(['1.base: expired']);
    expect((await debit(account.caller, later.id)).status).toBe(200);
  });
});

describe('the sender at the time of funding', () => {
  it.each(['initial', 'verified', 'banned', 'rejected', 'disabled'])(
    '%s: an approved transaction is not funded',
    async (state) => {
      const account = await waiting();
      await db.execute('update senders set state = $2 where account_id = $1::uuid', [account.accountId, state]);
      expect(wordsIn(await debit(account.caller, account.id))).toEqual(['0.base: sender_not_approved']);
      await db.execute(`update senders set state = 'approved' where account_id = $1::uuid`, [account.accountId]);
      expect((await debit(account.caller, account.id)).status).toBe(200);
    },
  );

  it('deleted through the API: not funded any more', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const made = await create(account.caller, { sender: { ...ADA } });
    expect((await account.caller.delete(`/v1/senders/${made.sender.id}`)).status).toBe(200);
    expect(wordsIn(await debit(account.caller, made.id))).toEqual(['0.base: sender_not_approved']);
  });

  it('in review: the transaction waits in initial and takes no money', async () => {
    const account = await app.newAccount({ terms: { kyc: 'review' }, balances: { USD: 100_000n } });
    const { id, state } = await create(account.caller);
    expect(state).toBe('initial');
    expect(wordsIn(await debit(account.caller, id))).toEqual(['0.base: sender_not_approved']);
  });
});

describe("another account's transaction", () => {
  it('is refused exactly as one that nobody has, alone and in a list', async () => {
    const owner = await waiting();
    const thief = await waiting();
    const nobodys = app.ctx.ids.next();
    const send = (ids: string[]) =>
      thief.caller.post('/v1/accounts/debits', { debit: ids.map((to_id) => ({ to_id, to_type: 'Transaction' })) });
    for (const more of [[], [thief.id]]) {
      const [theirs, unknown] = [await send([owner.id, ...more]), await send([nobodys, ...more])];
      expect(wordsIn(theirs)).toEqual(['0.to_id: not_found']);
      expect(theirs.text.replaceAll(owner.id, 'ID')).toBe(unknown.text.replaceAll(nobodys, 'ID'));
    }
    expect(transactionIn(await owner.caller.get(`/v1/transactions/${owner.id}`), 200).state).toBe('approved');
  });

  it('is not funded by a thief whose debit comes in the same moment as that of the owner', async () => {
    const owner = await waiting();
    const thief = await waiting();
    const [stolen, own] = await Promise.all([debit(thief.caller, owner.id), debit(owner.caller, owner.id)]);
    expect(wordsIn(stolen)).toEqual(['0.to_id: not_found']);
    expect(debitsIn(own, 200)).toMatchObject([{ running_balance: 900 }]);
    expect(await ledgerOf(db, thief.accountId, 'USD')).toMatchObject({ balance: 100_000n });
  });
});

describe('a change that commits while the debit waits for it', () => {
  it.each([
    ['a ban of the sender', `update senders set state = 'banned' where account_id = $1::uuid`, 'sender_not_approved'],
    [
      'a cancel',
      `update transactions set state = 'canceled' where account_id = $1::uuid and funded_at is null`,
      'canceled',
    ],
  ])('is seen: %s', async (_, statement, word) => {
    const account = await waiting();
    const debited = await db.inTx(async (tx) => {
      await tx.execute(statement, [account.accountId]);
      const answer = debit(account.caller, account.id);
      await untilWaiting(db);
      // Kept in a list: a promise by itself would be waited for inside of the transaction that it waits for.
      return [answer];
    });
    const [answer] = await Promise.all(debited);
    expect(wordsIn(answer ?? expect.fail())).toEqual([`0.base: ${word}`]);
  });
});

it('a nonce that was used before is refused with 401 and debits nothing', async () => {
  const account = await waiting();
  const body = { debit: { to_id: account.id, to_type: 'Transaction' } };
  expect((await account.caller.post('/v1/accounts/debits', body, { nonce: 'once' })).status).toBe(200);
  const other = await create(account.caller);
  const again = { debit: { to_id: other.id, to_type: 'Transaction' } };
  expect((await account.caller.post('/v1/accounts/debits', again, { nonce: 'once' })).status).toBe(401);
  expect(await ledgerOf(db, account.accountId, 'USD')).toMatchObject({ held: 10_100n });
});

describe('an account that never held the currency', () => {
  it('is refused for want of balance, and not even an empty balance is left behind', async () => {
    const { caller, accountId } = await app.newAccount();
    const { id } = await create(caller, { amount: 100 });
    const before = await countRows(db);
    const single = await debit(caller, id);
    const atOnce = await createAndFund(caller, { amount: 100 });
    expect([single.status, atOnce.status]).toEqual([422, 422]);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 2 });
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({});
    expect((await caller.get('/v1/accounts')).body).toMatchObject({ object: [] });
  });
});
