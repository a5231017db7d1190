/** POST /v1/senders: what is created, in which state, and what is refused without leaving a trace. */
import { describe, expect, it } from 'vitest';
import { callerOf, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { BUSINESS, PERSON, PNG } from '../support/senders.ts';
import { bodyOf, createSender, NO_ROWS, refusalsIn, rowsOf, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);

async function newCaller(terms: Parameters<typeof makeAccount>[1] = {}) {
  const account = await makeAccount(db, terms);
  return { account, caller: callerOf(edge, account) };
}

describe('a sender that is created', () => {
  it('comes back whole, with what the service adds', async () => {
    const { caller } = await newCaller();
    const sender = { ...PERSON, external_id: 'c-1', metadata: { theirs: [1, { two: null }] } };
    const { object } = bodyOf(await caller.post('/v1/senders', { sender }));
    const { id, state, state_reason, providers, created_at, ...rest } = object;
    expect(rest).toEqual(sender);
    expect({ state, state_reason, providers }).toEqual({ state: 'approved', state_reason: null, providers: {} });
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(bodyOf(await caller.get(`/v1/senders/${id}`)).object).toEqual(object);
  });

  it('may be a business', async () => {
    const { caller } = await newCaller();
    const sender = await createSender(caller, { ...BUSINESS, first_name: undefined, last_name: undefined });
    expect(sender).toMatchObject({ type: 'business', name: 'Example Ltd' });
  });

  it('may be a sender without an external_id, any number of times', async () => {
    const { caller } = await newCaller();
    const [first, second] = [await createSender(caller), await createSender(caller)];
    expect(first.id).not.toBe(second.id);
    expect(first).toMatchObject({ external_id: null });
  });

  it('keeps its phone number as E.164', async () => {
    const { caller } = await newCaller();
    expect(await createSender(caller, { phone_number: '07911 123456' })).toMatchObject({
      phone_number: '+447911123456',
    });
  });

  it.each([
    ['waived', 'approved'],
    ['review', 'initial'],
  ] as const)('is, where KYC is %s, %s at once, and no event is sent', async (kyc, state) => {
    const { account, caller } = await newCaller({ kyc });
    expect(await createSender(caller)).toMatchObject({ state, state_reason: null });
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 1, events: 0 });
  });

  it.each([
    ['only a space without width', '\u200b'],
    ['only a filler', '\u3164'],
    ['only spaces, joiners and marks of direction', ' \u200d\u200e\u00a0'],
  ])('needs a name in which something is to be seen: not %s', async (_, name) => {
    const { account, caller } = await newCaller();
    const refused = await caller.post('/v1/senders', { sender: { ...PERSON, first_name: name, street: name } });
    expect(refusalsIn(refused)).toEqual(['first_name: blank', 'street: blank']);
    expect(await rowsOf(db, account.accountId)).toEqual(NO_ROWS);
  });

  it('keeps a name as it is written, with what joins its letters', async () => {
    const { caller } = await newCaller();
    const names = { first_name: 'علی\u200cرضا', last_name: 'ශ්\u200dරී' };
    expect(await createSender(caller, names)).toMatchObject(names);
  });

  it('may have an e-mail address of any script', async () => {
    const { caller } = await newCaller();
    const email = 'test@उदाहरण.परीक्षा';
    expect(await createSender(caller, { email })).toMatchObject({ email });
  });

  it('needs papers where KYC is by papers', async () => {
    const { caller } = await newCaller({ kyc: 'documents' });
    expect(refusalsIn(await caller.post('/v1/senders', { sender: PERSON }))).toEqual(['documents: blank']);
    const documents = [{ upload: PNG, upload_file_name: 'passport.png' }];
    expect(await createSender(caller, { documents })).toMatchObject({ state: 'initial' });
  });

  it('needs fewer details where the account is in WTR2 mode', async () => {
    const { email: _, phone_number: __, birth_date: ___, ...few } = PERSON;
    const { caller } = await newCaller({ wtr2: true });
    expect((await caller.post('/v1/senders', { sender: few })).status).toBe(200);
    const { caller: other } = await newCaller();
    expect(refusalsIn(await other.post('/v1/senders', { sender: few }))).toEqual([
      'phone_number: blank',
      'birth_date: blank',
      'email: blank',
    ]);
  });
});

describe('a sender that is refused', () => {
  it('is told everything at once, comes back with its input and its errors, and leaves nothing behind', async () => {
    const { account, caller } = await newCaller();
    const documents = [
      { upload: PNG, upload_file_name: 'a.png' },
      { upload: 'nonsense', upload_file_name: '' },
    ];
    const sender = { ...PERSON, external_id: 'c-1', country: 'UK', email: 'nobody', ip: null, documents };
    const answer = await caller.post('/v1/senders', { sender });
    expect(refusalsIn(answer)).toEqual([
      'country: not_in_list',
      'email: invalid',
      'documents.1.upload: invalid',
      'documents.1.upload_file_name: blank',
      'ip: blank',
    ]);
    expect(bodyOf(answer).object).toMatchObject({
      first_name: 'Ada',
      country: 'UK',
      errors: { country: [{ error: 'not_in_list' }], email: [{ error: 'invalid' }], ip: [{ error: 'blank' }] },
      documents: [
        { upload_file_name: 'a.png' },
        { errors: { upload: [{ error: 'invalid' }], upload_file_name: [{ error: 'blank' }] } },
      ],
    });
    expect(await rowsOf(db, account.accountId)).toEqual(NO_ROWS);
  });

  it('does not get its files back', async () => {
    const { caller } = await newCaller();
    const documents = [{ upload: PNG, upload_file_name: 'a.png' }];
    const answer = await caller.post('/v1/senders', { sender: { ...PERSON, documents, country: 'UK' } });
    expect(answer.status).toBe(422);
    expect(answer.text).not.toContain('base64');
  });

  it('gives its external_id back for the next attempt', async () => {
    const { caller } = await newCaller();
    expect((await caller.post('/v1/senders', { sender: { ...PERSON, external_id: 'c-1', ip: '' } })).status).toBe(422);
    expect(await createSender(caller, { external_id: 'c-1' })).toMatchObject({ external_id: 'c-1' });
  });

  it.each([
    ['no body', undefined, 'sender: blank'],
    ['another envelope', { person: PERSON }, 'sender: blank'],
    ['a list', [], 'sender: blank'],
    ['a text for a sender', { sender: 'Ada' }, 'base: invalid'],
    ['null for a sender', { sender: null }, 'base: blank'],
  ])('may be %s', async (_, body, refusal) => {
    const { account, caller } = await newCaller();
    expect(refusalsIn(await caller.post('/v1/senders', body))).toEqual([refusal]);
    expect(await rowsOf(db, account.accountId)).toEqual(NO_ROWS);
  });

  it('may be one that is replayed: 401, and nothing changes', async () => {
    const { account, caller } = await newCaller();
    const nonce = 'once-and-never-again';
    expect((await caller.post('/v1/senders', { sender: PERSON }, { nonce })).status).toBe(200);
    expect((await caller.post('/v1/senders', { sender: PERSON }, { nonce })).status).toBe(401);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 1 });
  });
});
