/** Endpoint 6: funding from the balance, one transaction or a list of them. */
import { afterAll, describe, expect, it } from 'vitest';
import { MAX_MINOR } from '../../server/src/money/amount.ts';
import { callerOf } from '../http/edge.ts';
import { startApp, type TestAccount, topUp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { OBI } from '../support/payout.ts';
import { countRows, difference, eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { create, createAndFund, debit, debitsIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
afterAll(() => expectSoundLedger(db));
/** A second process on the same database: what the two do at the same time meets only there. */
const second = await startApp({ db });

const listOf = ({ caller }: TestAccount, debits: readonly object[]) =>
  caller.post('/v1/accounts/debits', { debit: debits.map((each) => ({ to_type: 'Transaction', ...each })) });

describe('a balance that refunds raise above the largest amount', () => {
  it('is shown, and pays', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: MAX_MINOR } });
    const first = transactionIn(await createAndFund(caller, { amount: 250 }), 201);
    await topUp(app.ctx, accountId, { USD: 25_000n });
    expect((await caller.delete(`/v1/recipients/${first.recipients[0]?.id}`)).status).toBe(200);
    const shown = await caller.get('/v1/accounts/USD');
    expect([shown.status, shown.body]).toMatchObject([200, { object: [{ amount: 10_000_000_000_249.99 }] }]);
    const second = await create(caller, { amount: 100 });
    expect(debitsIn(await debit(caller, second.id), 200)).toMatchObject([{ running_balance: 10_000_000_000_149.99 }]);
  });
});

describe('one debit', () => {
  it('funds its transaction: 200 with the debit in a list', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(account.caller, { amount: 250 });
    const answer = await debit(account.caller, id, { metadata: { batch: 7 } });
    expect(debitsIn(answer, 200)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        to_id: id,
        to_type: 'Transaction',
        amount: 250,
        currency: 'USD',
        usd_amount: 250,
        running_balance: 750,
        metadata: { batch: 7 },
        created_at: '2026-11-15T12:00:00.000Z',
      },
    ]);
    expect(transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200)).toMatchObject({
      state: 'received',
      paid_amount: 250,
      due_amount: 0,
    });
  });

  it('moves the money from the balance to held, and leaves one row of each kind', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(caller, { amount: 250 });
    const before = await countRows(db);
    expect((await debit(caller, id)).status).toBe(200);
    expect(difference(before, await countRows(db))).toMatchObject({ debits: 1, events: 1, ledger_transfers: 1 });
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: 75_000n, held: 25_000n, treasury: -100_000n });
    expect((await caller.get('/v1/accounts/USD')).body).toMatchObject({ object: [{ amount: 750, currency: 'USD' }] });
    await expectSoundLedger(db, accountId);
  });

  it('is told by the second event of its transaction, with the object as it is then', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(caller);
    app.clock.advance(1_000);
    expect((await debit(caller, id)).status).toBe(200);
    const events = await eventsOf(db, id);
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['transaction.created', 1],
      ['transaction.paid_in', 2],
    ]);
    expect(events[1]).toMatchObject({ at: app.clock.now(), object: { state: 'received', paid_amount: 100 } });
    expect(events[1]?.object).not.toHaveProperty(['recipients', 0, 'payout_method', 'fields']);
    expect(events[1]?.descriptors).toEqual(events[0]?.descriptors);
  });

  it('in another currency tells its value in dollars at the rate of creation', async () => {
    const { caller } = await app.newAccount({ balances: { EUR: 20_000n } });
    const { id } = await create(caller, { amount: 100, requestedCurrency: 'GBP', inputCurrency: 'EUR' });
    // 100 GBP are 116.46 EUR, and those are worth 126.58 USD.
    expect(debitsIn(await debit(caller, id), 200)).toMatchObject([
      { amount: 116.46, currency: 'EUR', usd_amount: 126.58, running_balance: 83.54 },
    ]);
  });

  it('leaves out of its value in dollars who was canceled before', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 10_000n } });
    const line = (amount: number) => ({ requested_amount: amount, requested_currency: 'USD', payout_method: OBI });
    const { id, recipients } = await create(caller, { over: { recipients: [line(10), line(20)] } });
    expect((await caller.delete(`/v1/recipients/${recipients[0]?.id}`)).status).toBe(200);
    expect(debitsIn(await debit(caller, id), 200)).toMatchObject([{ amount: 20, usd_amount: 20 }]);
  });

  it('has no value in dollars where that is more than the largest amount', async () => {
    const { caller } = await app.newAccount({ balances: { GBP: 920_000_000_000_000n } });
    const details = { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' };
    const recipient = {
      requested_amount: '4500000000000',
      requested_currency: 'GBP',
      payout_method: { type: 'EUR::Bank', details },
    };
    const made = await create(caller, { inputCurrency: 'GBP', over: { recipients: [recipient, recipient] } });
    expect(made.recipients.map(({ input_usd_amount }) => input_usd_amount)).toEqual([
      5696202531645.56, 5696202531645.56,
    ]);
    expect(debitsIn(await debit(caller, made.id), 200)).toMatchObject([
      { amount: 9_000_000_000_000, usd_amount: null },
    ]);
  });

  it.each([
    ['a decimal string', '2000.0'],
    ['a decimal string without decimals', '2000'],
    ['a number', 2_000],
    ['an exponent', '2e3'],
    ['digits beyond the cent, which are cut', '2000.009'],
  ])('may repeat currency and amount, as %s', async (_, amount) => {
    const { caller } = await app.newAccount({ balances: { USD: 200_000n } });
    const { id } = await create(caller, { amount: 2_000 });
    expect(debitsIn(await debit(caller, id, { currency: 'USD', amount }), 200)).toMatchObject([{ amount: 2_000 }]);
  });

  it.each([null, '', '  '])('may leave them blank: %j is not a check', async (blank) => {
    const { caller } = await app.newAccount({ balances: { USD: 200_000n } });
    const { id } = await create(caller);
    expect((await debit(caller, id, { currency: blank, amount: blank, metadata: null })).status).toBe(200);
  });

  it('may use up the balance to the last cent', async () => {
    const { caller } = await app.newAccount({ balances: { USD: 10_000n } });
    const { id } = await create(caller, { amount: 100 });
    expect(debitsIn(await debit(caller, id.toUpperCase()), 200)).toMatchObject([{ running_balance: 0, to_id: id }]);
  });

  it('may go below zero where the account may', async () => {
    const { caller, accountId } = await app.newAccount({ terms: { negativeBalance: true } });
    const { id } = await create(caller, { amount: 100 });
    expect(debitsIn(await debit(caller, id), 200)).toMatchObject([{ running_balance: -100 }]);
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: -10_000n, held: 10_000n });
    await expectSoundLedger(db, accountId);
  });
});

it('a debit does not bring a balance further below zero than an amount can be', async () => {
  const { caller, accountId } = await app.newAccount({ terms: { negativeBalance: true } });
  const details = { first_name: 'Eva', last_name: 'X', iban: 'DE89370400440532013000' };
  const payTo = (amount: string) =>
    create(caller, { amount, recipient: { payout_method: { type: 'EUR::Bank', details } } });
  const [largest, more] = [await payTo('9999999999999.99'), await payTo('1')];
  expect(debitsIn(await debit(caller, largest.id), 200)).toMatchObject([{ running_balance: -9_999_999_999_999.99 }]);
  expect(wordsIn(await debit(caller, more.id))).toEqual(['0.base: insufficient_balance']);
  expect(await ledgerOf(db, accountId, 'USD')).toMatchObject({ balance: -999_999_999_999_999n });
});

describe('a list of debits', () => {
  it('funds all of them, each with the balance that is left after it', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n, EUR: 50_000n } });
    const wishes = [{ amount: 100 }, { amount: 20, requestedCurrency: 'EUR', inputCurrency: 'EUR' }, { amount: 300 }];
    const made = await Promise.all(wishes.map((wish) => create(account.caller, wish)));
    const shown = debitsIn(
      await listOf(
        account,
        made.map(({ id }) => ({ to_id: id })),
      ),
      200,
    );
    expect(shown.map((each) => [each.to_id, each['currency'], each.running_balance])).toEqual([
      [made[0]?.id, 'USD', 900],
      [made[1]?.id, 'EUR', 480],
      [made[2]?.id, 'USD', 600],
    ]);
    await expectSoundLedger(db, account.accountId);
  });

  it('is all or nothing: one refusal refuses all, and only that one is told', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    expect((await createAndFund(account.caller)).status).toBe(201);
    const made = await Promise.all([1, 2, 3].map((amount) => create(account.caller, { amount })));
    const before = await countRows(db);
    const debits = made.map(({ id }, place) => ({ to_id: id, ...(place === 1 && { amount: '7' }) }));
    const answer = await listOf(account, debits);
    expect(wordsIn(answer)).toEqual(['1.amount: amount_mismatch']);
    expect(debitsIn(answer, 422).map(({ errors }) => errors)).toEqual([
      undefined,
      { amount: [{ error: 'amount_mismatch' }] },
      undefined,
    ]);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    for (const { id } of made) {
      expect(transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200).state).toBe('approved');
    }
  });

  it('needs money for all of them together: the one that is too much is told', async () => {
    const account = await app.newAccount({ balances: { USD: 29_999n } });
    const made = await Promise.all([1, 2, 3].map(() => create(account.caller, { amount: 100 })));
    const answer = await listOf(
      account,
      made.map(({ id }) => ({ to_id: id })),
    );
    expect(wordsIn(answer)).toEqual(['2.base: insufficient_balance']);
    expect(await ledgerOf(db, account.accountId, 'USD')).not.toHaveProperty('held');
    expect(
      (
        await listOf(
          account,
          made.slice(1).map(({ id }) => ({ to_id: id })),
        )
      ).status,
    ).toBe(200);
  });

  it('may not name one transaction twice', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(account.caller);
    const answer = await listOf(account, [{ to_id: id }, { to_id: id.toUpperCase() }]);
    expect(wordsIn(answer)).toEqual(['1.base: already_funded']);
    expect(transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200).state).toBe('approved');
    const wrongFirst = await listOf(account, [{ to_id: id, amount: 1 }, { to_id: id }]);
    // The first would not have funded it, so nothing can be said against the second.
    expect(wordsIn(wrongFirst)).toEqual(['0.amount: amount_mismatch']);
    expect((await debit(account.caller, id)).status).toBe(200);
  });

  it('holds up to a hundred', async () => {
    const account = await app.newAccount();
    const of = (count: number) => Array.from({ length: count }, () => ({ to_id: app.ctx.ids.next() }));
    expect(wordsIn(await listOf(account, of(100)))).toHaveLength(100);
    expect(wordsIn(await listOf(account, of(101)))).toEqual(['debit: too_large']);
    expect(wordsIn(await listOf(account, []))).toEqual(['debit: blank']);
  });
});

describe('at the same time', () => {
  it('20 debits of one transaction through two processes debit once', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await create(account.caller, { amount: 10 });
    const callers = [account.caller, callerOf(second, account)];
    second.clock.set(app.clock.now());
    const answers = await Promise.all(Array.from({ length: 10 }, () => callers.map((each) => debit(each, id))).flat());
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(wordsIn(answer)).toEqual(['0.base: already_funded']);
    }
    expect(await ledgerOf(db, account.accountId, 'USD')).toMatchObject({ balance: 99_000n, held: 1_000n });
    expect((await eventsOf(db, id)).map(({ event }) => event)).toEqual(['transaction.created', 'transaction.paid_in']);
    await expectSoundLedger(db, account.accountId);
  });

  it('20 transactions on a balance for seven: seven are funded, and the balance is right to the cent', async () => {
    const account = await app.newAccount({ balances: { USD: 7_500n } });
    const made = await Promise.all(Array.from({ length: 20 }, () => create(account.caller, { amount: 10 })));
    const callers = [account.caller, callerOf(second, account)] as const;
    const answers = await Promise.all(made.map(({ id }, place) => debit(callers[place % 2 === 0 ? 0 : 1], id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    const left = answers.flatMap((answer) => (answer.status === 200 ? debitsIn(answer, 200) : []));
    expect(left.map(({ running_balance }) => running_balance).sort((a, b) => a - b)).toEqual([
      5, 15, 25, 35, 45, 55, 65,
    ]);
    expect(await ledgerOf(db, account.accountId, 'USD')).toMatchObject({ balance: 500n, held: 7_000n });
    await expectSoundLedger(db, account.accountId);
  });
});
