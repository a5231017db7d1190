/** Endpoint 1, the sender inside of a transaction: how it is named, who may send, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import { MAX_SENDER_DOCUMENTS } from '../../server/src/senders/sender.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { ADA, bodyOfPayout } from '../support/payout.ts';
import { countRows, difference } from '../support/rows.ts';
import { PNG } from '../support/senders.ts';
import type { SignedCaller } from '../support/signed-caller.ts';
import { create, transactionIn, wordsIn } from '../support/transactions.ts';

const { db } = await freshDatabase();
const app = await startApp({ db });
const { external_id: _, ...ANONYMOUS_ADA } = ADA;

const ask = (caller: SignedCaller, sender: object, wish: object = {}) =>
  caller.post('/v1/transactions', bodyOfPayout({ sender: { ...sender }, ...wish }));

/** A sender of the account; its id. */
async function newSender({ caller }: TestAccount, fields: object = {}): Promise<string> {
  const answer = await caller.post('/v1/senders', { sender: { ...ANONYMOUS_ADA, ...fields } });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as { object: { id: string } }).object.id;
}

async function readSender({ caller }: TestAccount, id: string): Promise<Record<string, unknown>> {
  const answer = await caller.get(`/v1/senders/${id}`);
  return (answer.body as { object: Record<string, unknown> }).object;
}

function putInState(senderId: string, state: string): Promise<number> {
  return db.execute('update senders set state = $2 where sender_id = $1::uuid', [senderId, state]);
}

describe('a sender is named', () => {
  it('by its id: it is used as it is', async () => {
    const account = await app.newAccount();
    const id = await newSender(account);
    const before = await countRows(db);
    expect((await create(account.caller, { sender: { id } })).sender).toMatchObject({ id, first_name: 'Ada' });
    expect((await create(account.caller, { sender: { id: id.toUpperCase() } })).sender.id).toBe(id);
    expect(difference(before, await countRows(db))).not.toHaveProperty('senders');
  });

  it('by its external_id: it is used as it is', async () => {
    const account = await app.newAccount();
    const id = await newSender(account, { external_id: 'c-1' });
    expect((await create(account.caller, { sender: { external_id: 'c-1' } })).sender.id).toBe(id);
  });

  it('by its id, with fields: it is changed by them', async () => {
    const account = await app.newAccount();
    const id = await newSender(account);
    const made = await create(account.caller, { sender: { id, city: 'Leeds' } });
    expect(made.sender).toMatchObject({ id, city: 'Leeds', street: ADA.street });
    expect(await readSender(account, id)).toMatchObject({ city: 'Leeds', street: ADA.street });
  });

  it('with its document each time: the document is kept once, and no transaction is one too many', async () => {
    const account = await app.newAccount();
    const sender = { ...ADA, documents: [{ upload: PNG, upload_file_name: 'passport.png' }] };
    const before = await countRows(db);
    for (let times = 0; times <= MAX_SENDER_DOCUMENTS; times += 1) await create(account.caller, { sender });
    expect(difference(before, await countRows(db))).toMatchObject({ senders: 1, documents: 1, file_contents: 1 });
  });

  it('by its external_id, with fields: it is created the first time and changed after that', async () => {
    const account = await app.newAccount();
    const first = await create(account.caller, { sender: ADA });
    const before = await countRows(db);
    const second = await create(account.caller, { sender: { ...ADA, city: 'Leeds' } });
    expect(second.sender).toMatchObject({ id: first.sender.id, external_id: ADA.external_id, city: 'Leeds' });
    expect(await readSender(account, first.sender.id)).toMatchObject({ city: 'Leeds' });
    expect(difference(before, await countRows(db))).not.toHaveProperty('senders');
  });

  it('by no id at all: each time it is a new one', async () => {
    const account = await app.newAccount();
    const [first, second] = [
      await create(account.caller, { sender: ANONYMOUS_ADA }),
      await create(account.caller, { sender: ANONYMOUS_ADA }),
    ];
    expect(first.sender['external_id']).toBeNull();
    expect(second.sender.id).not.toBe(first.sender.id);
  });

  it('by the same new external_id in ten requests at once: it is created once', async () => {
    const account = await app.newAccount();
    const made = await Promise.all(Array.from({ length: 10 }, () => create(account.caller, { sender: ADA })));
    expect(new Set(made.map(({ sender }) => sender.id)).size).toBe(1);
  });
});

describe('a sender is refused', () => {
  it.each<[string, (id: string) => object, string[]]>([
    ['with both ids', (id) => ({ id, external_id: 'c-1' }), ['sender.id: invalid', 'sender.external_id: invalid']],
    ['with an id that nobody has', () => ({ id: app.ctx.ids.next() }), ['sender.id: not_found']],
    [
      'with fields for an id that nobody has',
      () => ({ ...ANONYMOUS_ADA, id: app.ctx.ids.next() }),
      ['sender.id: not_found'],
    ],
    ['with an id that cannot be one', () => ({ id: 'ada' }), ['sender.id: not_found']],
    ['with an id that is a number', () => ({ id: 7 }), ['sender.id: invalid']],
    ['with an external_id that nobody has', () => ({ external_id: 'nobody' }), ['sender.external_id: not_found']],
    [
      'with a change that is wrong',
      (id) => ({ id, email: 'no', birth_date: '1990-02-30' }),
      ['sender.birth_date: invalid', 'sender.email: invalid'],
    ],
    [
      'new and without what a person needs',
      () => ({ ...ADA, street: '', email: undefined }),
      ['sender.street: blank', 'sender.email: blank'],
    ],
  ])('%s', async (_, sender, words) => {
    const account = await app.newAccount();
    const id = await newSender(account, { external_id: 'c-1' });
    const unchanged = await readSender(account, id);
    const before = await countRows(db);
    expect(wordsIn(await ask(account.caller, sender(id)))).toEqual(words);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
    expect(await readSender(account, id)).toEqual(unchanged);
  });

  it("of another account, exactly as one that nobody has: 'not found' beside the same input", async () => {
    const [account, other] = [await app.newAccount(), await app.newAccount()];
    const theirs = await newSender(other);
    const nobodys = app.ctx.ids.next();
    for (const fields of [{}, { city: 'Leeds' }]) {
      const answers = await Promise.all(
        [theirs, nobodys].map((id) => ask(account.caller, { id, ...fields }, { externalId: 'x' })),
      );
      const [toTheirs, toNobodys] = answers.map(({ text }, place) =>
        text.replaceAll([theirs, nobodys][place] ?? '', 'ID'),
      );
      expect(toTheirs).toBe(toNobodys);
    }
    expect(await readSender(other, theirs)).toMatchObject({ city: ADA.city });
  });

  it('and a change or a new sender is dropped with a transaction that is refused for another reason', async () => {
    const account = await app.newAccount();
    const id = await newSender(account);
    const before = await countRows(db);
    for (const sender of [{ id, city: 'Leeds' }, ADA]) {
      expect(wordsIn(await ask(account.caller, sender, { inputCurrency: 'XXX' }))).toHaveLength(1);
    }
    expect(difference(before, await countRows(db))).toEqual({ nonces: 2 });
    expect(await readSender(account, id)).toMatchObject({ city: ADA.city });
  });

  it('once it was deleted', async () => {
    const account = await app.newAccount();
    const id = await newSender(account, { external_id: 'c-1' });
    expect((await account.caller.delete(`/v1/senders/${id}`)).status).toBe(200);
    expect(wordsIn(await ask(account.caller, { id }))).toEqual(['sender: sender_not_approved']);
    expect(wordsIn(await ask(account.caller, { external_id: 'c-1' }))).toEqual(['sender: sender_not_approved']);
    expect(wordsIn(await ask(account.caller, { id, city: 'Leeds' }))).toEqual(['sender: disabled']);
  });
});

describe('an account that checks its senders itself', () => {
  it.each(['initial', 'verified', 'banned', 'rejected'])(
    'has its transaction wait in initial for a sender that is %s',
    async (state) => {
      const account = await app.newAccount({ terms: { kyc: 'review' } });
      const id = await newSender(account);
      await putInState(id, state);
      expect((await create(account.caller, { sender: { id } })).state).toBe('initial');
    },
  );

  it('can go on at once with an approved one, and has it checked again when its identity is changed', async () => {
    const account = await app.newAccount({ terms: { kyc: 'review' } });
    const id = await newSender(account);
    await putInState(id, 'approved');
    expect((await create(account.caller, { sender: { id } })).state).toBe('approved');
    const changed = await create(account.caller, { sender: { id, last_name: 'Other' } });
    expect(changed).toMatchObject({ state: 'initial', sender: { state: 'initial', state_reason: expect.any(String) } });
  });
});

describe('an account that does not check its senders itself', () => {
  it.each([
    ['by all its fields', ADA],
    ['by its fields alone', ANONYMOUS_ADA],
  ])('is refused a sender that comes with the transaction, %s, and none is kept', async (_, sender) => {
    const { caller } = await app.newAccount({ terms: { fullKyc: false } });
    const before = await countRows(db);
    expect(wordsIn(await ask(caller, sender))).toEqual(['sender: sender_not_approved']);
    expect(difference(before, await countRows(db))).toEqual({ nonces: 1 });
  });

  it('may use a sender that it created before and that is approved', async () => {
    const account = await app.newAccount({ terms: { fullKyc: false } });
    const id = await newSender(account, { external_id: 'c-1' });
    for (const sender of [{ id }, { external_id: 'c-1' }, { id, city: 'Leeds' }, { ...ADA, external_id: 'c-1' }]) {
      expect((await create(account.caller, { sender })).state).toBe('approved');
    }
  });

  it.each(['initial', 'verified', 'banned', 'rejected'])('may not use a sender that is %s', async (state) => {
    const account = await app.newAccount({ terms: { fullKyc: false, kyc: 'review' } });
    const id = await newSender(account);
    await putInState(id, state);
    expect(wordsIn(await ask(account.caller, { id }))).toEqual(['sender: sender_not_approved']);
  });
});

describe('what a corridor asks of the sender', () => {
  const CASH = {
    payout_method: {
      type: 'MAD::Cash',
      details: { first_name: 'Amal', last_name: 'Example', phone_number: '+212650123400' },
    },
  };
  const PAPERS = { identification_type: 'PP', identification_number: 'A123456' };
  const { phone_number: _phone, street: _street, ...FEW_DETAILS } = ADA;

  it('is refused on the sender where it is missing, and taken where it is there', async () => {
    const { caller } = await app.newAccount();
    expect(wordsIn(await ask(caller, ADA, { recipient: CASH }))).toEqual([
      'sender.identification_type: blank',
      'sender.identification_number: blank',
    ]);
    expect(transactionIn(await ask(caller, { ...ADA, ...PAPERS }, { recipient: CASH }), 201).state).toBe('approved');
  });

  it('under WTR2 few details suffice, but not for a corridor that needs them all', async () => {
    const { caller } = await app.newAccount({ terms: { wtr2: true } });
    const few = { ...FEW_DETAILS, ...PAPERS };
    expect(transactionIn(await ask(caller, few), 201).state).toBe('approved');
    expect(wordsIn(await ask(caller, few, { recipient: CASH }))).toEqual(['sender: wtr2_not_allowed']);
    expect(transactionIn(await ask(caller, { ...ADA, ...PAPERS }, { recipient: CASH }), 201).state).toBe('approved');
  });

  it('without WTR2 the same few details are refused for every corridor', async () => {
    const { caller } = await app.newAccount();
    expect(wordsIn(await ask(caller, FEW_DETAILS))).toEqual(['sender.phone_number: blank', 'sender.street: blank']);
  });
});
