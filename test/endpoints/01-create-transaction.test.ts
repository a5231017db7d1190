/** Endpoint 1: what a new transaction looks like, in the answer, in the database and in its first event. */
import { describe, expect, it } from 'vitest';
import { readDescriptors } from '../../server/src/webhooks/descriptors.ts';
import { startApp } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout, OBI } from '../support/payout.ts';
import { countRows, difference, eventsOf, ledgerOf } from '../support/rows.ts';
import { create, refusedIn, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a new transaction', () => {
  it('is answered with 201 and every field of the interface', async () => {
    const { caller } = await app.newAccount();
    const made = await create(caller, { amount: 100, externalId: 'order-1' });
    const [recipient] = made.recipients;
    const { fields } = recipient?.payout_method ?? {};
    expect(made).toEqual({
      id: expect.stringMatching(UUID),
      external_id: 'order-1',
      state: 'approved',
      state_reason: null,
      state_reason_details: null,
      input_currency: 'USD',
      input_amount: 100,
      paid_amount: 0,
      due_amount: 100,
      sender: {
        ...ADA,
        id: expect.stringMatching(UUID),
        state: 'approved',
        state_reason: null,
        providers: {},
        created_at: '2026-11-15T12:00:00.000Z',
      },
      recipients: [
        {
          id: expect.stringMatching(UUID),
          type: 'person',
          transaction_id: made.id,
          transaction_external_id: 'order-1',
          external_id: 'order-1',
          transaction_state: 'approved',
          state: 'initial',
          state_reason: null,
          state_reason_details: null,
          requested_amount: 100,
          requested_currency: 'USD',
          input_amount: 100,
          input_currency: 'USD',
          output_amount: 152_540,
          output_currency: 'NGN',
          input_usd_amount: 100,
          exchange_rate: 1525.4,
          fee_fractional: 0,
          editable: true,
          may_cancel: true,
          retriable: false,
          payout_method: { ...OBI, id: expect.stringMatching(UUID), metadata: {}, provider: null, fields },
          metadata: {},
          created_at: '2026-11-15T12:00:00.000Z',
        },
      ],
      payin_methods: [],
      metadata: {},
      traits: { auto_refund: true, account_validation: false },
      created_at: '2026-11-15T12:00:00.000Z',
      expires_at: '2026-11-15T13:00:00.000Z',
    });
    expect(Object.keys(fields ?? {})).toEqual([
      'first_name',
      'last_name',
      'bank_account',
      'bank_code',
      'bank_account_type',
      'email',
    ]);
  });

  it('is shown by a later read exactly as creation answered it', async () => {
    const { caller } = await app.newAccount();
    const made = await create(caller);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toEqual(made);
  });

  it('leaves its rows and its nonce, and moves no money', async () => {
    const { caller, accountId } = await app.newAccount({ balances: { USD: 50_000n } });
    const before = await countRows(db);
    await create(caller);
    expect(difference(before, await countRows(db))).toEqual({
      events: 1,
      // One for the transaction, one for the sender.
      external_ids: 2,
      nonces: 1,
      recipients: 1,
      senders: 1,
      transactions: 1,
    });
    expect(await ledgerOf(db, accountId, 'USD')).toEqual({ balance: 50_000n, treasury: -50_000n });
  });

  it('waits in initial for a sender that has yet to be approved', async () => {
    const { caller } = await app.newAccount({ terms: { kyc: 'review' } });
    const made = await create(caller);
    expect(made).toMatchObject({
      state: 'initial',
      sender: { state: 'initial' },
      recipients: [{ state: 'initial', transaction_state: 'initial' }],
      expires_at: '2026-11-15T13:00:00.000Z',
    });
  });

  it('keeps its recipients in their order', async () => {
    const { caller } = await app.newAccount();
    const recipients = [3, 1, 2].map((amount) => ({
      requested_amount: amount,
      requested_currency: 'USD',
      payout_method: OBI,
      metadata: { amount },
    }));
    const made = await create(caller, { over: { recipients } });
    expect(made.recipients.map(({ input_amount }) => input_amount)).toEqual([3, 1, 2]);
    const read = transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200);
    expect(read.recipients.map(({ id, metadata }) => [id, metadata])).toEqual(
      made.recipients.map(({ id, metadata }) => [id, metadata]),
    );
  });

  it('gives a business recipient the name in place of first and last name', async () => {
    const { caller } = await app.newAccount();
    const details = { name: 'Example Ltd', bank_account: '1234567890', bank_code: '058', bank_account_type: '10' };
    const recipient = { type: 'business', payout_method: { type: 'NGN::Bank', details } };
    const [shown] = (await create(caller, { recipient })).recipients;
    expect(shown).toMatchObject({ type: 'business', payout_method: { details } });
    expect(Object.keys(shown?.payout_method.fields ?? {})).toContain('name');
    expect(Object.keys(shown?.payout_method.fields ?? {})).not.toContain('first_name');
  });
});

describe('what the caller adds', () => {
  it('metadata of the transaction, its recipients and their payout methods comes back, also in the event', async () => {
    const { caller } = await app.newAccount();
    const metadata = { order: { lines: [1, 'two', null] }, note: 'ñ ✓' };
    const made = await create(caller, {
      recipient: { metadata: { branch: 7 }, payout_method: { ...OBI, metadata: { routed: true } } },
      over: { metadata },
    });
    const expected = {
      metadata,
      recipients: [{ metadata: { branch: 7 }, payout_method: { metadata: { routed: true } } }],
    };
    expect(made).toMatchObject(expected);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)).toMatchObject(expected);
    const [created] = await eventsOf(db, made.id);
    expect(created?.object).toMatchObject(expected);
  });

  it('details that the corridor does not know are kept, and fields that nobody knows are ignored', async () => {
    const { caller } = await app.newAccount();
    const details = { ...OBI.details, nickname: 'O', nested: { a: [1] } };
    const made = await create(caller, {
      recipient: { payout_method: { ...OBI, details }, color: 'green' },
      over: { state: 'paid', id: 'mine', input_amount: 1, colour: 'green' },
    });
    expect(made.recipients[0]?.payout_method.details).toEqual(details);
    expect(made).toMatchObject({ state: 'approved', input_amount: 100, id: expect.stringMatching(UUID) });
    expect(made).not.toHaveProperty('colour');
    expect(made.recipients[0]).not.toHaveProperty('color');
  });

  it.each([
    ['left out', false, undefined, { auto_refund: true, account_validation: false }],
    [
      'left out by an account with account validation',
      true,
      undefined,
      { auto_refund: true, account_validation: true },
    ],
    ['null', true, null, { auto_refund: true, account_validation: true }],
    ['set', false, { auto_refund: false, account_validation: true }, { auto_refund: false, account_validation: true }],
    ['set against the account', true, { account_validation: false }, { auto_refund: true, account_validation: false }],
  ])('traits that are %s', async (_, accountValidation, traits, expected) => {
    const { caller } = await app.newAccount({ terms: { accountValidation } });
    const made = await create(caller, { over: { traits } });
    expect(made['traits']).toEqual(expected);
    expect(transactionIn(await caller.get(`/v1/transactions/${made.id}`), 200)['traits']).toEqual(expected);
  });

  it.each([
    ['left out', undefined],
    ['null', null],
    ['empty', ''],
    ['only spaces', '  '],
  ])('an external_id that is %s is none: any number of transactions may be without', async (_, externalId) => {
    const { caller } = await app.newAccount();
    for (const made of [0, 1].map(() => create(caller, { over: { external_id: externalId } }))) {
      expect((await made).external_id).toBeNull();
    }
  });
});

describe('the event of a new transaction', () => {
  it('is stored once, as the first of its transaction, with the object but without the descriptors', async () => {
    const { caller } = await app.newAccount();
    const made = await create(caller);
    const events = await eventsOf(db, made.id);
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([['transaction.created', 1]]);
    const { recipients, ...rest } = made;
    const withoutFields = recipients.map(({ payout_method: { fields: _, ...method }, ...recipient }) => ({
      ...recipient,
      payout_method: method,
    }));
    expect(events[0]?.object).toEqual({ ...rest, recipients: withoutFields });
    expect(events[0]?.at).toEqual(app.clock.now());
  });

  it('names the descriptor of each payout method, and that descriptor is stored', async () => {
    const { caller } = await app.newAccount();
    const business = { name: 'Example Ltd', bank_account: '1', bank_code: '058', bank_account_type: '10' };
    const made = await create(caller, {
      over: {
        recipients: [
          { requested_amount: 1, requested_currency: 'USD', payout_method: OBI },
          {
            type: 'business',
            requested_amount: 1,
            requested_currency: 'USD',
            payout_method: { type: 'NGN::Bank', details: business },
          },
        ],
      },
    });
    const [created] = await eventsOf(db, made.id);
    const hashes = created?.descriptors ?? [];
    expect(hashes).toHaveLength(2);
    const stored = await db.inTx((tx) => readDescriptors(tx, hashes));
    expect(hashes.map((hash) => JSON.parse(stored.get(hash) ?? ''))).toEqual(
      made.recipients.map((recipient) => recipient.payout_method.fields),
    );
  });
});

describe('a body without a transaction', () => {
  it.each([
    ['no body', undefined],
    ['an empty object', {}],
    ['another envelope', { transactions: bodyOfPayout().transaction }],
  ])('is refused: %s', async (_, body) => {
    const { caller } = await app.newAccount();
    const answer = await caller.post('/v1/transactions', body);
    expect(wordsIn(answer)).toEqual(['transaction: blank']);
    expect(refusedIn(answer).object).toEqual({ errors: { transaction: [{ error: 'blank' }] } });
  });

  it.each([
    [null, 'base: blank'],
    ['text', 'base: invalid'],
    [[], 'base: invalid'],
    [7, 'base: invalid'],
  ])('is refused as a whole, with what it lacks: %j', async (transaction, first) => {
    const { caller } = await app.newAccount();
    const before = await countRows(db);
    const words = wordsIn(await caller.post('/v1/transactions', { transaction }));
    expect([...words].sort()).toEqual([first, 'input_currency: blank', 'recipients: blank', 'sender: blank'].sort());
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });
});
