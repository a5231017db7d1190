/** Endpoint 2: created and funded in one commit, or not at all. */
import { afterAll, describe, expect, it } from 'vitest';
import { callerOf } from '../http/edge.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { type Loss, losingAnswers } from '../support/lost-answers.ts';
import { ADA, OBI } from '../support/payout.ts';
import { countRows, difference, eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { createAndFund, listIn, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
afterAll(() => expectSoundLedger(db));
/** A second process on the same database: what one of them does at the same time meets only in the database. */
const second = await startApp({ db });
/** A third one, which hears no answer to its commits while this is set. */
let loss: Loss;
const losing = await startApp({ db: losingAnswers(db, () => loss) });

/** An account that has paid before, so that every row is there that a payout needs and only counts on top. */
async function usedAccount(usd: bigint) {
  const account = await app.newAccount({ balances: { USD: usd + 100n } });
  transactionIn(await createAndFund(account.caller, { amount: 1, sender: { ...ADA, external_id: 'first' } }), 201);
  return account;
}

describe('a transaction that is created and funded at once', () => {
  it('is answered with 201, received and paid in full', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
    const made = transactionIn(await createAndFund(caller, { amount: 250, externalId: 'p-1' }), 201);
    expect(made).toMatchObject({
      external_id: 'p-1',
      state: 'received',
      input_amount: 250,
      paid_amount: 250,
      due_amount: 0,
      recipients: [{ state: 'initial', transaction_state: 'received', output_amount: 381_350 }],
    });
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual(made);
  });

  it('moves the money from the balance to held, and stores the debit', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 100_000n } });
    const before = await countRows(db);
    const made = transactionIn(await createAndFund(caller, { amount: 250 }), 201);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: 75_000n, held: 25_000n, treasury: -100_000n });
    expect(difference(before, await countRows(db))).toMatchObject({ debits: 1, ledger_transfers: 1, events: 2 });
    const debits = await db.query(
      'select amount, currency, usd_amount, running_balance from debits where transaction_id = $1::uuid',
      [made.id],
    );
    expect(debits).toEqual([{ amount: 25_000n, currency: 'USD', usd_amount: 25_000n, running_balance: 75_000n }]);
    await expectSoundLedger(db, accountId);
  });

  it('is told by two events, the one of its creation and the one of its money', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
    const made = transactionIn(await createAndFund(caller), 201);
    const events = await eventsOf(db, made.id);
    expect(
      events.map(({ event, sequence, object }) => [event, sequence, object['state'], object['paid_amount']]),
    ).toEqual([
      ['transaction.created', 1, 'approved', 0],
      ['transaction.paid_in', 2, 'received', 100],
    ]);
    for (const { object, descriptors } of events) {
      expect(object).not.toHaveProperty(['recipients', 0, 'payout_method', 'fields']);
      expect(descriptors).toHaveLength(1);
    }
  });

  it('debits the sum over its recipients', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 100_000n } });
    const recipients = [
      { requested_amount: 100, requested_currency: 'USD', payout_method: OBI },
      { requested_amount: 50_000, requested_currency: 'NGN', payout_method: OBI },
    ];
    const made = transactionIn(await createAndFund(caller, { over: { recipients } }), 201);
    expect(made).toMatchObject({ input_amount: 132.78, paid_amount: 132.78 });
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 86_722n, held: 13_278n });
    await expectSoundLedger(db, accountId);
  });

  it('can be found by its external_id, as a caller does that heard no answer', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
    const made = transactionIn(await createAndFund(caller, { externalId: 'lost answer' }), 201);
    expect(listIn(await caller.get('/v1/transactions?external_id=lost%20answer')).object).toEqual([made]);
  });
});

describe('it needs', () => {
  it.each([undefined, null, '', ' '])('an external_id: %j is none', async (externalId) => {
    const { caller } = await usedAccount(100_000n);
    const before = await countRows(db);
    expect(wordsIn(await createAndFund(caller, { over: { external_id: externalId } }))).toEqual(['external_id: blank']);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });

  it('enough money: one cent too little is refused and leaves nothing, not even the sender', async () => {
    const { caller, accountId } = await usedAccount(9_999n);
    const before = await countRows(db);
    const ledger = await ledgerOf(db, accountId, 'USD');
    const answer = await createAndFund(caller, { amount: 100 });
    expect(wordsIn(answer)).toEqual(['base: insufficient_balance']);
    expect(refusedIn(answer)).toMatchObject({
      object: { errors: { base: [{ error: 'insufficient_balance' }] } },
      meta: { error: 'the balance does not hold enough of the currency' },
    });
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    expect(await ledgerOf(db, accountId, 'USD')).toEqual(ledger);
  });

  it('and no cent more: a balance may be used up', async () => {
    const { caller, accountId } = await usedAccount(10_000n);
    transactionIn(await createAndFund(caller, { amount: 100 }), 201);
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ held: 10_100n });
    expect(await ledgerOf(db, accountId, 'USD')).not.toHaveProperty('balance');
  });

  it('money in the input currency: that of another one does not help', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
    const wish = { amount: 1, requestedCurrency: 'EUR', inputCurrency: 'EUR' };
    expect(wordsIn(await createAndFund(caller, wish))).toEqual(['base: insufficient_balance']);
  });

  it('an approved sender: a new one that has to be checked is refused and not kept', async () => {
    const { caller, accountId } = await usedAccount(100_000n);
    await db.execute(`update accounts set kyc = 'review' where account_id = $1::uuid`, [accountId]);
    const before = await countRows(db);
    const answer = await createAndFund(caller, { sender: { ...ADA, external_id: 'new' } });
    expect(wordsIn(answer)).toEqual(['sender: sender_not_approved']);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    expect(transactionIn(await createAndFund(caller, { sender: { external_id: 'first' } }), 201).state).toBe(
      'received',
    );
  });

  it('an approved sender that stays so: a change of its identity is refused and not kept', async () => {
    const { caller, accountId } = await usedAccount(100_000n);
    await db.execute(`update accounts set kyc = 'review' where account_id = $1::uuid`, [accountId]);
    const sender = { ...ADA, external_id: 'first' };
    expect(wordsIn(await createAndFund(caller, { sender: { ...sender, last_name: 'Other' } }))).toEqual([
      'sender: sender_not_approved',
    ]);
    const made = transactionIn(await createAndFund(caller, { sender: { external_id: 'first' } }), 201);
    expect(made.sender).toMatchObject({ last_name: ADA.last_name, state: 'approved' });
  });

  it('everything that creation needs: all faults are told, and the balance is not looked at', async () => {
    const { caller } = await usedAccount(0n);
    const answer = await createAndFund(caller, {
      externalId: undefined,
      amount: -1,
      over: { traits: { auto_refund: 'no' } },
    });
    expect(wordsIn(answer)).toEqual([
      'external_id: blank',
      'recipients.0.requested_amount: not_positive',
      'traits.auto_refund: invalid',
    ]);
  });
});

describe('an account that may go below zero', () => {
  it('is funded without money, and the ledger shows the debt', async () => {
    const { caller, accountId } = await app.newAccount({ terms: { negativeBalance: true } });
    transactionIn(await createAndFund(caller, { amount: 100 }), 201);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: -10_000n, held: 10_000n });
    await expectSoundLedger(db, accountId);
  });

  it('owes more by each payout after the first, whose balance is only read', async () => {
    const { caller, accountId } = await app.newAccount({ terms: { negativeBalance: true } });
    for (let times = 0; times < 2; times += 1) transactionIn(await createAndFund(caller, { amount: 100 }), 201);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: -20_000n, held: 20_000n });
    await expectSoundLedger(db, accountId);
  });

  it('may not owe more than the largest amount that can be shown', async () => {
    const { caller, accountId } = await app.newAccount({ terms: { negativeBalance: true } });
    const iban = { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' };
    const wish = { amount: '6000000000000', recipient: { payout_method: { type: 'EUR::Bank', details: iban } } };
    transactionIn(await createAndFund(caller, wish), 201);
    expect(wordsIn(await createAndFund(caller, wish))).toEqual(['base: insufficient_balance']);
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: -600_000_000_000_000n });
    expect((await caller.get('/v1/accounts')).body).toMatchObject({ object: [{ amount: -6_000_000_000_000 }] });
  });
});

describe('at the same time', () => {
  it('20 requests with one external_id to two processes create and debit once', async () => {
    const account = await usedAccount(100_000n);
    const { accountId } = account;
    const callers = [account.caller, callerOf(second, account)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => callers.map((each) => createAndFund(each, { externalId: 'one' }))).flat(),
    );
    const made = answers.filter(({ status }) => status === 201).map((answer) => transactionIn(answer, 201));
    expect(made).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(wordsIn(answer)).toEqual(['external_id: taken']);
      // The others see it as it is: funded.
      expect(refusedIn(answer).meta?.existing?.transaction).toEqual(made[0]);
    }
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 90_000n, held: 10_100n });
    await expectSoundLedger(db, accountId);
  });

  it('20 requests to two processes for a balance that is enough for seven are seven payouts, and 13 leave nothing', async () => {
    const account = await usedAccount(7_999n);
    const { accountId } = account;
    const callers = [account.caller, callerOf(second, account)];
    const before = await countRows(db);
    const answers = await Promise.all(
      callers.flatMap((each, process) =>
        Array.from({ length: 10 }, (_, place) =>
          createAndFund(each, { amount: 10, sender: { ...ADA, external_id: `s-${process}-${place}` } }),
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(wordsIn(answer)).toEqual(['base: insufficient_balance']);
    }
    expect(difference(before, await countRows(db))).toEqual({
      debits: 7,
      events: 14,
      external_ids: 14,
      ledger_transfers: 7,
      nonces: 20,
      recipients: 7,
      senders: 7,
      transactions: 7,
    });
    expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: 999n, held: 7_100n });
    await expectSoundLedger(db, accountId);
  });
});

describe('when it cannot be known whether it was done', () => {
  it.each<[Loss, number]>([
    ['happened', 1],
    ['undone', 0],
  ])('the answer is 503, never 422, and a look-up by external_id tells (%s)', async (next, count) => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const caller = callerOf(losing, account);
    loss = next;
    const answer = await createAndFund(caller, { externalId: 'unknown' });
    loss = undefined;
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ error: expect.stringContaining('look before you try again') });
    expect(answer.headers['retry-after']).toBeDefined();
    expect(listIn(await caller.get('/v1/transactions?external_id=unknown')).object).toHaveLength(count);
    // A second try is safe either way.
    expect((await createAndFund(caller, { externalId: 'unknown' })).status).toBe(count === 1 ? 422 : 201);
    expect(await ledgerOf(db, account.accountId, 'USD')).toMatchObject({ balance: 90_000n, held: 10_000n });
    await expectSoundLedger(db, account.accountId);
  });
});
