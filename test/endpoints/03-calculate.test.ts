/** Endpoint 3, and its published twin `validate`: the decision of creation, with nothing kept but the used nonce. */
import { describe, expect, it } from 'vitest';
import { announceRates } from '../../server/src/rates/store.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI, type PayoutWish } from '../support/payout.ts';
import { countRows, difference } from '../support/rows.ts';
import { create, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });

const PATHS = ['/v1/transactions/calculate', '/v1/transactions/validate'];

describe.each(PATHS)('POST %s', (path) => {
  it('answers 200 with what creation would answer, without ids and times', async () => {
    const { caller } = await app.newAccount();
    const wish = { externalId: 'c-1', over: { metadata: { a: 1 }, traits: { auto_refund: false } } };
    const calculated = transactionIn(await caller.post(path, bodyOfPayout(wish)), 200);
    const { id: _, created_at: __, expires_at: ___, recipients, sender, ...rest } = await create(caller, wish);
    const withoutIds = recipients.map(
      ({ id: _id, transaction_id: _of, created_at: _at, payout_method: { id: _method, ...method }, ...recipient }) => ({
        ...recipient,
        payout_method: method,
      }),
    );
    // The sender was not kept: an id would name nobody.
    const { id: _sender, created_at: _since, ...newSender } = sender;
    expect(calculated).toEqual({ ...rest, recipients: withoutIds, sender: newSender });
    expect(calculated.state).toBe('approved');
  });

  it('shows the id of a sender that is stored, and none of a document that is not', async () => {
    const { caller } = await app.newAccount();
    const { sender } = await create(caller, { sender: { ...ADA, external_id: 'known' } });
    const wish = { sender: { external_id: 'known', documents: [picture()], ip: '127.0.0.1', metadata: {} } };
    const calculated = transactionIn(await caller.post(path, bodyOfPayout(wish)), 200);
    expect(calculated.sender).toMatchObject({ id: sender.id, created_at: sender['created_at'] });
    expect(calculated.sender).toHaveProperty('documents.0.upload_file_name');
    expect(calculated.sender).not.toHaveProperty('documents.0.id');
  });

  it.each<[string, PayoutWish]>([
    ['a new sender', {}],
    ['a sender with a change', { sender: { external_id: 'known', city: 'Leeds' } }],
    ['a sender that is known', { sender: { external_id: 'known' } }],
    ['no external_id', { externalId: undefined }],
    ['a refused amount', { amount: -1 }],
    ['a sender that is refused', { sender: { external_id: 'nobody' } }],
    ['a document', { sender: { ...ADA, documents: [picture()] } }],
  ])('leaves nothing but the nonce: %s', async (_, wish) => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 100_000n } });
    const known = await create(caller, { sender: { ...ADA, external_id: 'known' } });
    const before = await countRows(db);
    expect([200, 422]).toContain((await caller.post(path, bodyOfPayout(wish))).status);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    const [sender] = await db.query<{ details: { city: string } }>(
      'select details from senders where account_id = $1::uuid and sender_id = $2::uuid',
      [accountId, known.sender.id],
    );
    expect(sender?.details.city).toBe(ADA.city);
  });

  it('reserves no external_id: any number of calls, and creation after them, find it free', async () => {
    const { caller } = await app.newAccount();
    const wish = { externalId: 'free' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => caller.post(path, bodyOfPayout(wish))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await create(caller, wish);
  });

  it('tells that an external_id is taken, with the transaction that bears it', async () => {
    const { caller } = await app.newAccount();
    const made = await create(caller, { externalId: 'taken' });
    const answer = await caller.post(path, bodyOfPayout({ externalId: 'taken' }));
    expect(wordsIn(answer)).toEqual(['external_id: taken']);
    expect(refusedIn(answer).meta?.existing?.transaction).toEqual(made);
  });

  it('needs no money', async () => {
    const { caller } = await app.newAccount();
    expect(transactionIn(await caller.post(path, bodyOfPayout({ amount: 5_000_000 })), 200).input_amount).toBe(
      5_000_000,
    );
  });

  it('shows initial where the sender would have to be checked first', async () => {
    const { caller } = await app.newAccount({ terms: { kyc: 'review' } });
    expect(transactionIn(await caller.post(path, bodyOfPayout()), 200).state).toBe('initial');
  });

  it('refuses a nonce that was used before', async () => {
    const { caller } = await app.newAccount();
    expect((await caller.post(path, bodyOfPayout(), { nonce: 'n-1' })).status).toBe(200);
    expect((await caller.post(path, bodyOfPayout(), { nonce: 'n-1' })).status).toBe(401);
  });
});

it.each<[string, object]>([
  ['nothing', {}],
  ['wrong amounts and currencies', { amount: 'x', requestedCurrency: 'XXX', inputCurrency: 'usd' }],
  ['wrong details', { recipient: { payout_method: { ...OBI, details: { bank_code: '1' } } } }],
  ['the same currency', { requestedCurrency: 'NGN', inputCurrency: 'NGN' }],
  ['a wrong sender', { sender: { ...ADA, email: 'no', country: 'Utopia' } }],
  ['a sender that nobody has', { sender: { external_id: 'nobody' } }],
  ['payin methods', { over: { payin_methods: [{}], metadata: 1, traits: ['a'] } }],
])('calculate refuses as creation does, byte for byte: %s', async (_, wish) => {
  const { caller } = await app.newAccount();
  const body = Object.keys(wish).length === 0 ? { transaction: {} } : bodyOfPayout({ externalId: 'e-1', ...wish });
  const [created, calculated, validated] = await Promise.all(
    ['/v1/transactions', ...PATHS].map((path) => caller.post(path, body)),
  );
  expect(wordsIn(created ?? expect.fail()).length).toBeGreaterThan(0);
  expect(calculated?.text).toBe(created?.text);
  expect(validated?.text).toBe(created?.text);
});

it('calculate shows the rate of the moment, and a transaction keeps the rate of its creation', async () => {
  const { caller } = await app.newAccount();
  const made = await create(caller, { amount: 10 });
  expect(made.recipients[0]).toMatchObject({ output_amount: 15_254, exchange_rate: 1525.4 });
  await db.execute(`update mid_rates set per_base = '1600' where currency = 'NGN'`);
  await app.ctx.rates.refresh();
  const calculated = transactionIn(await caller.post('/v1/transactions/calculate', bodyOfPayout({ amount: 10 })), 200);
  expect(calculated.recipients[0]).toMatchObject({ output_amount: 16_000, exchange_rate: 1600 });
  expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual(made);
});

it('a currency without a rate is refused on the amount, and served again when there is one', async () => {
  const { caller } = await app.newAccount();
  const calculate = () => caller.post('/v1/transactions/calculate', bodyOfPayout());
  await db.inTx(async (tx) => {
    await tx.execute(`delete from mid_rates where currency = 'NGN'`);
    await announceRates(tx);
  });
  await expect.poll(() => app.ctx.rates.current().rates.has('NGN')).toBe(false);
  expect(wordsIn(await calculate())).toEqual(['recipients.0.requested_amount: rate_unavailable']);
  // The source has it still.
  await app.ctx.rates.refresh();
  expect((await calculate()).status).toBe(200);
});

function picture() {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
  return { upload: `data:image/png;base64,${bytes}`, upload_file_name: 'id.png', metadata: {} };
}
