/** The six rules of id and external_id at POST /v1/senders, and duplicates under concurrency. */
import { describe, expect, it } from 'vitest';
import { callerOf, ids, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { PERSON } from '../support/senders.ts';
import { bodyOf, createSender, refusalsIn, rowsOf, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);

async function withSender() {
  const account = await makeAccount(db);
  const caller = callerOf(edge, account);
  return { account, caller, sender: await createSender(caller, { external_id: 'c-1' }) };
}

describe('by id', () => {
  it('alone, the sender is given back as it is (rule 1)', async () => {
    const { caller, sender } = await withSender();
    expect(bodyOf(await caller.post('/v1/senders', { sender: { id: sender.id } })).object).toEqual(sender);
  });

  it('with other fields, the sender is updated with them (rule 2)', async () => {
    const { caller, sender } = await withSender();
    const answer = await caller.post('/v1/senders', { sender: { id: sender.id, city: 'Lagos' } });
    expect(bodyOf(answer).object).toEqual({ ...sender, city: 'Lagos' });
    expect(bodyOf(await caller.get(`/v1/senders/${sender.id}`)).object).toMatchObject({ city: 'Lagos' });
  });

  it.each([
    ['unknown', () => ids.next(), 'id: not_found'],
    ['no id at all', () => 'abc', 'id: not_found'],
    ['no text', () => 5, 'id: invalid'],
  ])('that is %s is refused, with other fields and without', async (_, id, refusal) => {
    const { caller } = await withSender();
    for (const fields of [{}, { city: 'Lagos' }]) {
      expect(refusalsIn(await caller.post('/v1/senders', { sender: { id: id(), ...fields } }))).toEqual([refusal]);
    }
  });

  it('of another account it is not found', async () => {
    const { sender } = await withSender();
    const { caller: stranger } = await withSender();
    const answer = await stranger.post('/v1/senders', { sender: { id: sender.id, city: 'Lagos' } });
    expect(refusalsIn(answer)).toEqual(['id: not_found']);
  });
});

describe('by external_id', () => {
  it('alone, the sender is given back as it is (rule 3)', async () => {
    const { caller, sender } = await withSender();
    expect(bodyOf(await caller.post('/v1/senders', { sender: { external_id: 'c-1' } })).object).toEqual(sender);
  });

  it('alone and unknown, it is not found', async () => {
    const { caller } = await withSender();
    const answer = await caller.post('/v1/senders', { sender: { external_id: 'c-2' } });
    expect(refusalsIn(answer)).toEqual(['external_id: not_found']);
  });

  it('with other fields, a duplicate is refused and the existing sender returned unchanged (rule 4)', async () => {
    const { account, caller, sender } = await withSender();
    const answer = await caller.post('/v1/senders', { sender: { ...PERSON, external_id: 'c-1', city: 'Lagos' } });
    expect(refusalsIn(answer)).toEqual(['external_id: taken']);
    expect(bodyOf(answer).meta).toEqual({ existing: { sender } });
    expect(bodyOf(await caller.get(`/v1/senders/${sender.id}`)).object).toEqual(sender);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 1, external_ids: 1 });
  });

  it('two accounts may use the same one', async () => {
    const [first, second] = [await withSender(), await withSender()];
    expect(first.sender.id).not.toBe(second.sender.id);
  });

  it('of a deleted sender it stays taken', async () => {
    const { caller, sender } = await withSender();
    await caller.delete(`/v1/senders/${sender.id}`);
    const answer = await caller.post('/v1/senders', { sender: { ...PERSON, external_id: 'c-1' } });
    expect(refusalsIn(answer)).toEqual(['external_id: taken']);
    expect(bodyOf(answer).meta).toMatchObject({ existing: { sender: { id: sender.id, state: 'disabled' } } });
  });

  it('and by id at once is refused on both (rule 6)', async () => {
    const { caller, sender } = await withSender();
    for (const fields of [{}, { city: 'Lagos' }]) {
      const answer = await caller.post('/v1/senders', { sender: { id: sender.id, external_id: 'c-1', ...fields } });
      expect(refusalsIn(answer)).toEqual(['id: invalid', 'external_id: invalid']);
    }
  });
});

describe('at the same time', () => {
  const CALLS = 24;

  it('equal external ids create one sender, and all others are told of it', async () => {
    const { account, caller } = await withSender();
    const sender = { ...PERSON, external_id: 'race' };
    const answers = await Promise.all(Array.from({ length: CALLS }, () => caller.post('/v1/senders', { sender })));
    const created = answers.filter((answer) => answer.status === 200);
    expect(created).toHaveLength(1);
    const id = created.map((answer) => bodyOf(answer).object['id'])[0];
    for (const answer of answers.filter((each) => each.status !== 200)) {
      expect(refusalsIn(answer)).toEqual(['external_id: taken']);
      expect(bodyOf(answer).meta).toMatchObject({ existing: { sender: { id } } });
    }
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 2, external_ids: 2 });
  });

  it('a good one among bad ones with the same external id gets it', async () => {
    const { account, caller } = await withSender();
    const send = (fields: object) =>
      caller.post('/v1/senders', { sender: { ...PERSON, external_id: 'mix', ...fields } });
    const answers = await Promise.all([...Array.from({ length: CALLS }, () => send({ email: 'nobody' })), send({})]);
    expect(answers.map((answer) => answer.status)).toEqual([...Array.from({ length: CALLS }, () => 422), 200]);
    const { object } = bodyOf(await caller.get('/v1/senders?external_id=mix'));
    expect(object).toHaveLength(1);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ senders: 2, external_ids: 2 });
  });

  it('from two processes, equal external ids still create one sender', async () => {
    const { account, caller } = await withSender();
    const other = callerOf(await startSenderEdge(db), account);
    const sender = { ...PERSON, external_id: 'two' };
    const answers = await Promise.all(
      Array.from({ length: CALLS }, (_, index) => (index % 2 ? caller : other).post('/v1/senders', { sender })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 422)).toHaveLength(CALLS - 1);
  });
});
