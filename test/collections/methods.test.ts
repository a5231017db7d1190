/** Reading, editing, canceling and retrying a payin method, the one-time code, and payins on demand. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp, type TestAccount } from '../support/app.ts';
import {
  bankTransfer,
  type CollectionView,
  type CollectionWish,
  collect,
  collectionIn,
  newsOf,
  payinIn,
  readCollection,
  receiptsOf,
  XOF_PAYER,
} from '../support/collections.ts';
import { freshDatabase } from '../support/database.ts';
import { fundPayout } from '../support/payouts.ts';
import { eventsOf, expectSoundLedger, ledgerOf } from '../support/rows.ts';
import { wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db, flags: { payinsAskUntil: '10m' } });
const HOUR_MS = 3_600_000;
afterAll(() => expectSoundLedger(db));

async function prompted(
  wish: CollectionWish,
): Promise<{ account: TestAccount; created: CollectionView; path: string }> {
  const account = await app.newAccount();
  const created = await collect(account, wish);
  await app.engine.run();
  return { account, created, path: `/v1/payin_methods/${created.payin.id}` };
}

const reasonIn = (object: object) => Object(Object(object).state_reason_details).code;
const edited = (phone_number: string) => ({ in_details: { phone_number } });

describe('a payin method', () => {
  it('is read by its id, and by nobody else', async () => {
    const { account, created, path } = await prompted({ asks: 'Pending' });
    const read = payinIn(await account.caller.get(path));
    expect(read).toEqual((await readCollection(account, created)).payin);
    expect(payinIn(await account.caller.get(`/v1/payin_methods/${created.payin.id.toUpperCase()}`))).toEqual(read);
    const other = await app.newAccount();
    const answers = [
      await other.caller.get(path),
      await other.caller.patch(path, {}),
      await other.caller.delete(path),
      await other.caller.post(`${path}/retry`, undefined),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('in error is prompted again with the edited details', async () => {
    const { account, created, path } = await prompted({ inDetails: { ...XOF_PAYER, phone_number: '+221771234709' } });
    const changed = payinIn(await account.caller.patch(path, edited('+221771234710')));
    expect([changed.state, changed.state_reason_details]).toEqual(['initial', null]);
    expect(changed.in_details).toEqual({ ...XOF_PAYER, phone_number: '+221771234710' });
    await app.engine.travel(1_000);
    expect((await readCollection(account, created)).state).toBe('paid');
    expect((await newsOf(db, created)).payin).toEqual(['error', 'pending', 'paid_in']);
  });

  it.each([
    ['an empty edit', {}],
    ['no details', { in_details: {} }],
    ['its type alone', { type: 'XOF::Mobile' }],
    ['a blank flow', { ux_flow: null, in_details: null }],
  ])('in error prompts nobody again for %s', async (_, body) => {
    const { account, created, path } = await prompted({ asks: '412' });
    const same = payinIn(await account.caller.patch(path, body));
    expect([same.state, same.state_reason_details?.code]).toEqual(['error', '412']);
    await app.engine.run();
    expect((await newsOf(db, created)).payin).toEqual(['error']);
  });

  it('in error is prompted again with the same details where they are sent', async () => {
    const { account, created, path } = await prompted({ asks: '412' });
    expect(payinIn(await account.caller.patch(path, { in_details: XOF_PAYER })).state).toBe('initial');
    await app.engine.run();
    expect((await newsOf(db, created)).payin).toEqual(['error', 'error']);
  });

  it('is edited with the wrapper as well', async () => {
    const { account, path } = await prompted({ asks: 'Pending' });
    const changed = payinIn(await account.caller.patch(path, { payin_method: edited('+221771234710') }));
    expect(changed.in_details['phone_number']).toBe('+221771234710');
  });

  it.each([
    ['wrong details', edited('12'), 'in_details.phone_number: invalid'],
    ['details that are text', { in_details: 'x' }, 'in_details: invalid'],
    ['a list', [], 'base: invalid'],
    ['a text', '"x"', 'base: invalid'],
    ['nothing', null, 'base: blank'],
    ['a wrapped list', { payin_method: [] }, 'base: invalid'],
    ['a wrapped text', { payin_method: 'x' }, 'base: invalid'],
    ['wrapped nothing', { payin_method: null }, 'base: blank'],
  ])('is not edited to %s', async (_, body, word) => {
    const { account, path } = await prompted({ asks: '412' });
    expect(wordsIn(await account.caller.patch(path, body))).toEqual([word]);
    expect(payinIn(await account.caller.get(path)).state).toBe('error');
  });

  it('is let be with the type that it has, and refused with another one: its payer would not be asked so', async () => {
    const { account, path } = await prompted({ inDetails: { ...XOF_PAYER, phone_number: '+221771234709' } });
    const change = { ...edited('+221771234710'), type: 'GHS::Mobile' };
    expect(wordsIn(await account.caller.patch(path, change))).toEqual(['type: not_editable']);
    expect(payinIn(await account.caller.get(path)).in_details).toMatchObject({ phone_number: '+221771234709' });
    expect(payinIn(await account.caller.patch(path, { ...change, type: 'XOF::Mobile' })).state).toBe('initial');
  });

  it('is retried from error only, within the hour', async () => {
    const { account, created, path } = await prompted({ asks: '412' });
    expect(payinIn(await account.caller.post(`${path}/retry`, undefined)).state).toBe('initial');
    expect(wordsIn(await account.caller.post(`${path}/retry`, undefined))).toEqual(['base: not_retriable']);
    await app.engine.run();
    expect((await newsOf(db, created)).payin).toEqual(['error', 'error']);
    app.clock.set(new Date(Date.parse(created.expires_at)));
    expect(wordsIn(await account.caller.post(`${path}/retry`, undefined))).toEqual(['base: expired']);
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('canceled');
  });

  it('of a collection that its caller has canceled is not retried', async () => {
    const { account, created, path } = await prompted({ asks: '412' });
    expect((await account.caller.delete(`/v1/recipients/${created.recipients[0]?.id}`)).status).toBe(200);
    expect(wordsIn(await account.caller.post(`${path}/retry`, undefined))).toEqual(['base: canceled']);
  });

  it('that was paid is neither edited, canceled nor retried', async () => {
    const { account, path } = await prompted({ asks: 'Paid' });
    expect(wordsIn(await account.caller.patch(path, edited('+221771234710')))).toEqual(['base: not_editable']);
    expect(wordsIn(await account.caller.delete(path))).toEqual(['base: not_cancelable']);
    expect(wordsIn(await account.caller.post(`${path}/retry`, undefined))).toEqual(['base: not_retriable']);
  });
});

describe('the one-time code', () => {
  it('goes to the provider, and the payer has paid', async () => {
    const { account, created, path } = await prompted({ asks: 'Otp' });
    expect((await readCollection(account, created))['state_reason']).toBe('The payer has to give the one-time code.');
    expect(payinIn(await account.caller.patch(path, { in_details: { otp: '123456' } })).state).toBe('incomplete');
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('paid');
    expect((await newsOf(db, created)).payin).toEqual(['incomplete', 'pending', 'paid_in']);
  });

  it('is not asked for any more once it was right', async () => {
    const { account, created, path } = await prompted({ asks: 'Otp' });
    await account.caller.patch(path, { in_details: { otp: '123456' } });
    await app.engine.run();
    const told = (await eventsOf(db, created.payin.id)).map(({ object }) => [object['state'], reasonIn(object)]);
    expect(told).toEqual([
      ['incomplete', '23'],
      ['pending', undefined],
      ['success', '0'],
    ]);
  });

  it('that is wrong can be given again', async () => {
    const { account, created, path } = await prompted({ asks: 'Otp' });
    await account.caller.patch(path, { in_details: { otp: '000000' } });
    await app.engine.run();
    const wrong = payinIn(await account.caller.get(path));
    expect([wrong.state, wrong.errors]).toEqual(['incomplete', { otp: [{ error: 'invalid' }] }]);
    await account.caller.patch(path, { in_details: { otp: '123456' } });
    await app.engine.run();
    const right = await readCollection(account, created);
    expect([right.state, right.payin.errors]).toEqual(['paid', undefined]);
    expect((await newsOf(db, created)).payin).toEqual(['incomplete', 'incomplete', 'pending', 'paid_in']);
  });
});

describe('a flow with a one-time code', () => {
  const inDetails = { phone_number: '+233302123400', mobile_provider: 'vodafone' };
  const flow = 'otp_verified_ussd_popup';
  const wish = { currency: 'GHS', type: 'GHS::Mobile', inDetails, flow, amount: 50 };

  it('asks for the code by itself, and the payer has paid when it was given', async () => {
    const { account, created, path } = await prompted(wish);
    expect(created.payin.state).toBe('initial');
    await app.engine.travel(10_000);
    const asked = (await readCollection(account, created)).payin;
    expect([asked['ux_flow'], asked.state, asked.state_reason_details?.code]).toEqual([flow, 'incomplete', '23']);
    await account.caller.patch(path, { in_details: { otp: '000000' } });
    await app.engine.run();
    expect(payinIn(await account.caller.get(path)).errors).toEqual({ otp: [{ error: 'invalid' }] });
    await account.caller.patch(path, { in_details: { otp: '123456' } });
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('paid');
    expect((await newsOf(db, created)).payin).toEqual(['incomplete', 'incomplete', 'pending', 'paid_in']);
  });

  it('does what the reference asks for instead', async () => {
    const { account, created } = await prompted({ ...wish, asks: 'Paid' });
    expect((await readCollection(account, created)).state).toBe('paid');
  });

  it('is not the usual one of the type', async () => {
    const { flow: _, ...usual } = wish;
    const { account, created } = await prompted(usual);
    await app.engine.travel(1_000);
    expect((await readCollection(account, created)).state).toBe('paid');
  });
});

describe('a payin method is canceled', () => {
  it('at the provider first; its transaction ends with its hour', async () => {
    const { account, created, path } = await prompted({ asks: 'Pending' });
    expect(payinIn(await account.caller.delete(path)).state).toBe('pending');
    expect(payinIn(await account.caller.delete(path)).state).toBe('pending');
    await app.engine.run();
    const canceled = await readCollection(account, created);
    expect([canceled.state, canceled.payin.state]).toEqual(['approved', 'canceled']);
    expect(wordsIn(await account.caller.patch(path, edited('+221771234710')))).toEqual(['base: not_editable']);
    await app.engine.travel(HOUR_MS);
    expect(await newsOf(db, created)).toEqual({ of: ['created', 'canceled'], payin: ['pending', 'canceled'] });
  });

  it('at once where nobody was prompted', async () => {
    const account = await app.newAccount();
    const created = await collect(account);
    expect(payinIn(await account.caller.delete(`/v1/payin_methods/${created.payin.id}`)).state).toBe('canceled');
    await app.engine.run();
    expect((await readCollection(account, created)).payin.state).toBe('canceled');
  });

  it('and a payer who was quicker has paid', async () => {
    const { account, created, path } = await prompted({ asks: 'Later' });
    app.clock.advance(60_000);
    await account.caller.delete(path);
    await app.engine.run();
    expect(await readCollection(account, created)).toMatchObject({ state: 'paid', payin: { state: 'success' } });
  });

  it('with its transaction, when the recipient is deleted before anybody paid', async () => {
    const { account, created } = await prompted({ asks: 'Pending' });
    expect((await readCollection(account, created)).recipients).toMatchObject([{ may_cancel: true }]);
    const recipient = `/v1/recipients/${created.recipients[0]?.id}`;
    expect((await account.caller.delete(recipient)).status).toBe(200);
    await app.engine.run();
    expect(await readCollection(account, created)).toMatchObject({ state: 'canceled', payin: { state: 'canceled' } });
    expect((await newsOf(db, created)).of).toEqual(['created', 'canceled']);
    expect((await account.caller.delete(recipient)).status).toBe(200);
  });

  it('but not through its recipient once the payer has paid', async () => {
    const { account, created } = await prompted({ asks: 'Processing' });
    expect((await readCollection(account, created)).recipients).toMatchObject([{ may_cancel: false }]);
    const answer = await account.caller.delete(`/v1/recipients/${created.recipients[0]?.id}`);
    expect(wordsIn(answer)).toEqual(['base: not_cancelable']);
  });
});

describe('a payin method that is canceled waits for nothing any more', () => {
  const reasonsOf = async (account: TestAccount, created: CollectionView) => {
    const { state, state_reason, state_reason_details, payin } = await readCollection(account, created);
    return [state, state_reason, state_reason_details, payin.state, payin.state_reason_details];
  };

  it.each(['Pending', 'Otp'])('at the end of its hour: Sandbox %s', async (asks) => {
    const { account, created } = await prompted({ asks });
    expect((await readCollection(account, created)).payin.state_reason_details).not.toBeNull();
    await app.engine.travel(HOUR_MS);
    expect(await reasonsOf(account, created)).toEqual(['canceled', null, null, 'canceled', null]);
  });

  it('with its recipient', async () => {
    const { account, created } = await prompted({ asks: 'Otp' });
    await account.caller.delete(`/v1/recipients/${created.recipients[0]?.id}`);
    await app.engine.run();
    expect(await reasonsOf(account, created)).toEqual(['canceled', null, null, 'canceled', null]);
    const told = [(await eventsOf(db, created.id)).at(-1), (await eventsOf(db, created.payin.id)).at(-1)];
    const isOver = { state: 'canceled', state_reason: null, state_reason_details: null };
    expect(told).toMatchObject([
      { event: 'transaction.canceled', object: isOver },
      { event: 'payin_method.canceled', object: isOver },
    ]);
  });

  it('by its caller', async () => {
    const { account, created, path } = await prompted({ asks: 'Pending' });
    await account.caller.delete(path);
    await app.engine.run();
    expect(await reasonsOf(account, created)).toEqual(['approved', null, null, 'canceled', null]);
  });

  it('and still says why it had failed', async () => {
    const { account, created } = await prompted({ asks: '412' });
    await app.engine.travel(HOUR_MS);
    const why = { state: 'canceled', state_reason_details: { code: '412' } };
    expect(await readCollection(account, created)).toMatchObject({ ...why, payin: why });
  });
});

describe('a payin on demand', () => {
  const payIn = async (wish: CollectionWish, body: unknown) => {
    const { account, created } = await prompted({ asks: 'Pending', ...wish });
    const answer = await account.caller.post(`/v1/transactions/${created.id}/payin`, body);
    return { account, created, answer };
  };

  it.each([
    ['with the wrapper', { payin_method: { type: 'XOF::Mobile' } }],
    ['without it', { type: 'XOF::Mobile' }],
    ['without a type', {}],
  ])('%s is received, and the prompt is taken back', async (_, body) => {
    const { account, created, answer } = await payIn({}, body);
    expect(collectionIn(answer)).toMatchObject({ state: 'received', paid_amount: 10_000, payin: { state: 'success' } });
    await app.engine.run();
    expect((await readCollection(account, created)).state).toBe('paid');
    expect((await newsOf(db, created)).of).toEqual(['created', 'paid_in', 'paid_out']);
    const [prompt] = await db.query('select outcome from payin_attempts where transaction_id = $1', [created.id]);
    expect(prompt).toEqual({ outcome: 'canceled' });
  });

  it('into one that had failed is said of the transaction as well', async () => {
    const { answer } = await payIn({ asks: '412' }, {});
    const code = { state_reason: null, state_reason_details: { code: '0' } };
    expect(collectionIn(answer)).toMatchObject({ state: 'received', ...code, payin: code });
  });

  it('of another amount makes the collection what came in, to the kobo, where the type allows it', async () => {
    const { answer } = await payIn(bankTransfer({ asks: 'Pending' }), { payin_method: { amount: '400.50' } });
    expect(collectionIn(answer)).toMatchObject({
      state: 'mispaid',
      input_amount: 400.5,
      paid_amount: 400.5,
      due_amount: 0,
    });
  });

  it('of another amount goes to suspense where it does not', async () => {
    const { created, answer } = await payIn({}, { amount: 9_999 });
    expect(collectionIn(answer)).toMatchObject({ state: 'approved', paid_amount: 0, payin: { state: 'error' } });
    expect(await receiptsOf(db, created)).toMatchObject([{ amount: 9_999n, place: 'suspense', reason: 'amount' }]);
  });

  it('of another amount leaves the prompt open, and a retry makes no second one', async () => {
    const { account, created } = await payIn({}, { amount: 9_999 });
    expect((await account.caller.post(`/v1/payin_methods/${created.payin.id}/retry`, undefined)).status).toBe(200);
    await app.engine.run();
    expect((await readCollection(account, created)).payin.state).toBe('pending');
    const prompts = await db.query('select outcome from payin_attempts where transaction_id = $1', [created.id]);
    expect(prompts).toEqual([{ outcome: null }]);
  });

  it('into one that is paid is the whole amount once more, and goes to suspense', async () => {
    const { account, created, answer } = await payIn({}, {});
    expect(answer.status).toBe(200);
    const again = await account.caller.post(`/v1/transactions/${created.id}/payin`, {});
    expect(collectionIn(again)).toMatchObject({ state: 'received', paid_amount: 10_000 });
    const held = { amount: 10_000n, place: 'held', reason: 'expected' };
    expect(await receiptsOf(db, created)).toMatchObject([held, { ...held, place: 'suspense', reason: 'surplus' }]);
    await app.engine.run();
  });

  it('after the hour goes to suspense', async () => {
    const { account, created } = await prompted({ asks: 'Pending' });
    app.clock.advance(HOUR_MS);
    const answer = await account.caller.post(`/v1/transactions/${created.id}/payin`, {});
    expect(collectionIn(answer)).toMatchObject({ state: 'canceled', paid_amount: 0 });
    expect((await ledgerOf(db, account.accountId, 'XOF'))['suspense']).toBe(10_000n);
    await app.engine.run();
  });

  it.each([
    ['another type', { type: 'NGN::Bank' }, 'type: not_in_list'],
    ['no amount', { amount: 'x' }, 'amount: not_a_number'],
  ])('with %s is refused', async (_, body, word) => {
    const { answer } = await payIn({}, body);
    expect(wordsIn(answer)).toEqual([word]);
  });

  it('into a payout is refused', async () => {
    const account = await app.newAccount({ balances: { USD: 100_000n } });
    const { id } = await fundPayout(account, 'Pending');
    const answer = await account.caller.post(`/v1/transactions/${id}/payin`, {});
    expect(wordsIn(answer)).toEqual(['base: not_a_collection']);
  });

  it('is followed by a payout on demand into the balance', async () => {
    const { account, created } = await payIn({}, {});
    const answer = await account.caller.post(`/v1/transactions/${created.id}/payout`, undefined);
    expect(collectionIn(answer).state).toBe('paid');
    expect((await ledgerOf(db, account.accountId, 'XOF'))['balance']).toBe(10_000n);
    const proofs = await account.caller.get(`/v1/recipients/${created.recipients[0]?.id}/proof_of_payments`);
    expect(Object(proofs.body).object).toHaveLength(1);
  });
});
