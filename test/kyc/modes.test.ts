/** How senders of an account are checked: waived, by review, by papers; with and without full KYC. */
import { describe, expect, it } from 'vitest';
import { ADA, bodyOfPayout } from '../support/payout.ts';
import { countRows, difference, eventsOf } from '../support/rows.ts';
import { BUSINESS } from '../support/senders.ts';
import { create, transactionIn, wordsIn } from '../support/transactions.ts';
import { PAPERS, startKyc, told } from './world.ts';

const kyc = await startKyc();
const { db, app, newAccount, newSender, readSender, check, decide, deliver, show, queue, screening } = kyc;
const live = await startKyc({ sendersScreenWaived: 'true', screeningLists: 'un-xml:of the test itself' });

describe('where KYC is waived', () => {
  it('a sender is approved at once, and no check runs', async () => {
    const account = await newAccount({ kyc: 'waived' });
    const sender = await newSender(account);
    expect(sender).toMatchObject({ state: 'approved', state_reason: null });
    expect(await check()).toEqual([]);
    expect(await eventsOf(db, sender.id)).toEqual([]);
  });

  it('an edit of the identity changes nothing either', async () => {
    const account = await newAccount({ kyc: 'waived' });
    const sender = await newSender(account);
    expect(await kyc.edit(account, sender, { last_name: 'Other' })).toMatchObject({ state: 'approved' });
    expect(await check()).toEqual([]);
  });

  it('and the operator screens all the same, it is approved at once and stays so when no list names it', async () => {
    const account = await live.newAccount({ kyc: 'waived' });
    const sender = await live.newSender(account);
    expect(sender.state).toBe('approved');
    expect(await live.check()).toHaveLength(1);
    expect(await live.readSender(account, sender)).toMatchObject({ state: 'approved', state_reason: null });
    expect((await live.queue(`?account_id=${account.accountId}`)).items).toEqual([]);
  });

  it('and the operator screens all the same, whoever a list names returns to initial and waits for people', async () => {
    const account = await live.newAccount({ kyc: 'waived' });
    live.screening.load('v1', [{ entryId: 'e-1', name: 'Ada Listed' }]);
    const sender = await live.newSender(account, { last_name: 'Listed' });
    expect(sender.state).toBe('approved');
    await live.check();
    expect(await live.readSender(account, sender)).toMatchObject({
      state: 'initial',
      state_reason: 'The sender is under review.',
    });
    expect((await live.queue(`?account_id=${account.accountId}`)).items).toMatchObject([
      { sender_id: sender.id, reason: 'match', hits: 1, best_score: 0.95 },
    ]);
    await live.decide('approve', sender);
    expect((await live.readSender(account, sender)).state).toBe('approved');
    await live.deliver();
    expect(told(account)).toEqual(['sender.approved approved']);
  });
});

describe('where an operator decides', () => {
  it('a sender is initial, then verified once no list names it, and approved when the operator says so', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account);
    expect(sender).toMatchObject({ state: 'initial', state_reason: null });
    await check();
    expect(await readSender(account, sender)).toMatchObject({
      state: 'verified',
      state_reason: 'The sender is under review.',
    });
    expect((await decide('approve', sender)).status).toBe(200);
    const approved = await readSender(account, sender);
    expect(approved).toMatchObject({ state: 'approved', state_reason: null });
    await deliver();
    expect(told(account)).toEqual(['sender.approved approved']);
    expect(account.receiver.received[0]?.body.object).toEqual(approved);
  });

  it('the check is kept with the version of the lists, the hits and what came of it', async () => {
    const account = await newAccount({ kyc: 'review' });
    const sender = await newSender(account);
    await check();
    expect(await show(sender)).toMatchObject({
      check_due: null,
      review: { reason: 'identity', hits: [], list_version: screening.version(), outcome: null },
      checks: [{ reason: 'created', from_state: 'initial', to_state: 'verified', hits: [], list_version: 'v1' }],
    });
  });

  it('a business is looked for by its names, and so are the people whom it names', async () => {
    const account = await newAccount({ kyc: 'review' });
    const people = { politically_exposed_people: [{ name: 'Some Minister' }] };
    const business = { ...BUSINESS, name: 'Trade Ltd', trading_name: 'Tradely', nationality: 'British', ...people };
    const answer = await account.caller.post('/v1/senders', { sender: business });
    expect(answer.status, answer.text).toBe(200);
    await check();
    expect(screening.asked.slice(-2)).toMatchObject([
      { type: 'business', names: ['Trade Ltd', 'Tradely'], birthDate: null, countries: ['GB'] },
      { type: 'person', names: ['Some Minister'], birthDate: null, countries: [] },
    ]);
    // Who asks later whom the lists were asked about is told of all of them.
    expect((await show(Object(answer.body).object)).checks).toMatchObject([
      { subjects: [{ names: ['Trade Ltd', 'Tradely'] }, { names: ['Some Minister'] }] },
    ]);
  });
});

describe('where papers are needed', () => {
  it.each([
    ['no list', { documents: undefined }],
    ['an empty list', { documents: [] }],
  ])(
    'a sender with %s of documents is refused, alone and in a transaction, and nothing is kept',
    async (_, documents) => {
      const { caller } = await newAccount({ kyc: 'documents' });
      const before = await countRows(db);
      const alone = await caller.post('/v1/senders', { sender: { ...ADA, ...documents } });
      expect(alone.status).toBe(422);
      expect(Object(alone.body).object.errors).toEqual({ documents: [{ error: 'blank' }] });
      const inside = await caller.post('/v1/transactions', bodyOfPayout({ sender: { ...ADA, ...documents } }));
      expect(wordsIn(inside)).toEqual(['sender.documents: blank']);
      expect(difference(before, await countRows(db))).toEqual({ nonces: 2 });
    },
  );

  it('an operator looks at them all the same, and decides', async () => {
    const account = await newAccount({ kyc: 'documents' });
    const sender = await newSender(account, PAPERS);
    await check();
    expect((await readSender(account, sender)).state).toBe('verified');
    const { items } = await queue(`?account_id=${account.accountId}`);
    expect(items).toMatchObject([{ sender_id: sender.id, reason: 'identity', documents: 1 }]);
    await decide('approve', sender);
    expect((await readSender(account, sender)).state).toBe('approved');
  });

  it('a sender may come with them in its first transaction', async () => {
    const { caller } = await newAccount({ kyc: 'documents', fullKyc: true });
    const made = await create(caller, { sender: { ...ADA, ...PAPERS } });
    expect(made).toMatchObject({ state: 'initial', sender: { state: 'initial' } });
  });
});

describe('an account with full KYC', () => {
  it('sends a new sender along: the transaction waits, and can be funded when the sender is approved', async () => {
    const account = await newAccount({ kyc: 'review', fullKyc: true });
    const made = await create(account.caller, { sender: ADA });
    expect(made.state).toBe('initial');
    await check();
    await decide('approve', made.sender);
    const read = transactionIn(await account.caller.get(`/v1/transactions/${made.id}`), 200);
    expect(read).toMatchObject({ state: 'approved', sender: { state: 'approved' }, expires_at: made.expires_at });
  });

  it('is refused a payout at once for a sender that is not approved, and nothing is kept', async () => {
    const account = await newAccount({ kyc: 'review', fullKyc: true });
    const sender = await newSender(account);
    await check();
    const before = await countRows(db);
    for (const each of [{ id: sender.id }, ADA]) {
      const answer = await account.caller.post('/v1/transactions/create_and_fund', bodyOfPayout({ sender: each }));
      expect(wordsIn(answer)).toEqual(['sender: sender_not_approved']);
    }
    expect(difference(before, await countRows(db))).toEqual({ nonces: 2 });
  });
});

describe('an account without full KYC', () => {
  it('is refused a sender that comes with its transaction, and one that is not approved yet', async () => {
    const account = await newAccount({ kyc: 'review', fullKyc: false });
    const sender = await newSender(account);
    await check();
    for (const each of [ADA, { id: sender.id }]) {
      const answer = await account.caller.post('/v1/transactions', bodyOfPayout({ sender: each }));
      expect(wordsIn(answer)).toEqual(['sender: sender_not_approved']);
    }
    await decide('approve', sender);
    expect((await create(account.caller, { sender: { id: sender.id } })).state).toBe('approved');
  });
});

it('nothing of this is logged as a fault', () => {
  const levels = [...app.logged, ...live.app.logged].map((line) => JSON.parse(line).level);
  expect(levels).toContain('info');
  expect(levels.filter((level) => level !== 'info')).toEqual([]);
});
