/** PATCH and DELETE /v1/senders/{id}. */
import { describe, expect, it } from 'vitest';
import { callerOf, ids, makeAccount } from '../http/edge.ts';
import { freshDatabase } from '../support/database.ts';
import { PNG } from '../support/senders.ts';
import { bodyOf, createSender, refusalsIn, rowsOf, startSenderEdge } from './sender-edge.ts';

const { db } = await freshDatabase();
const edge = await startSenderEdge(db);
const secondEdge = await startSenderEdge(db);

async function withSender(terms: Parameters<typeof makeAccount>[1] = {}, fields: object = {}) {
  const account = await makeAccount(db, terms);
  const caller = callerOf(edge, account);
  const sender = await createSender(caller, { external_id: 'c-1', ...fields });
  const path = `/v1/senders/${sender.id}`;
  return { account, caller, sender, path, stored: async () => bodyOf(await caller.get(path)).object };
}

const approve = (senderId: string) =>
  db.execute(`update senders set state = 'approved' where sender_id = $1::uuid`, [senderId]);

describe('a change', () => {
  it('touches the fields that are sent and no other', async () => {
    const { caller, sender, path, stored } = await withSender({}, { metadata: { keep: 1 } });
    const answer = await caller.patch(path, { sender: { city: 'Lagos', occupation: 'engineer' } });
    expect(answer.status).toBe(200);
    expect(bodyOf(answer).object).toEqual({ ...sender, city: 'Lagos', occupation: 'engineer' });
    expect(await stored()).toEqual({ ...sender, city: 'Lagos', occupation: 'engineer' });
  });

  it('replaces the metadata as a whole', async () => {
    const { caller, path } = await withSender({}, { metadata: { old: 1, kept: 2 } });
    expect(bodyOf(await caller.patch(path, { sender: { metadata: { new: 3 } } })).object).toMatchObject({
      metadata: { new: 3 },
    });
  });

  it('ignores what only the service gives', async () => {
    const { caller, sender, path } = await withSender();
    const answer = await caller.patch(path, {
      sender: { ...sender, state: 'banned', created_at: 'now', city: 'Lagos' },
    });
    expect(bodyOf(answer).object).toEqual({ ...sender, city: 'Lagos' });
  });

  it('with nothing in it changes nothing', async () => {
    const { caller, sender, path } = await withSender();
    expect(bodyOf(await caller.patch(path, { sender: {} })).object).toEqual(sender);
  });

  it('of several at once, by two processes, is made one after the other: none is lost', async () => {
    const { account, caller, path, stored } = await withSender();
    const other = callerOf(secondEdge, account);
    const fields = ['occupation', 'lang', 'fingerprint', 'nationality', 'city_of_birth', 'sales_lead_id'];
    for (let round = 0; round < 5; round += 1) {
      const values = fields.map((name) => [name, `${name} of round ${round}`] as const);
      await Promise.all(
        values.map(([name, value], place) => (place % 2 ? caller : other).patch(path, { sender: { [name]: value } })),
      );
      expect(await stored()).toMatchObject(Object.fromEntries(values));
    }
  });

  it('adds documents and takes none away', async () => {
    const { account, caller, path } = await withSender({}, { documents: [{ upload: PNG, upload_file_name: 'one' }] });
    await caller.patch(path, { sender: { documents: [] } });
    const answer = await caller.patch(path, { sender: { documents: [{ upload: PNG, upload_file_name: 'two' }] } });
    expect(bodyOf(answer).object['documents']).toMatchObject([
      { upload_file_name: 'one' },
      { upload_file_name: 'two' },
    ]);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ documents: 2, file_contents: 2 });
  });

  it('takes a file that the sender has already, under the same name, for that document', async () => {
    const one = { upload: PNG, upload_file_name: 'one' };
    const { account, caller, path } = await withSender({}, { documents: [one, one] });
    const before = bodyOf(await caller.get(path)).object;
    const answer = await caller.patch(path, { sender: { documents: [one, { ...one, document_type: 'passport' }] } });
    expect(bodyOf(answer).object).toEqual(before);
    const other = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n!', 'latin1').toString('base64')}`;
    await caller.patch(path, { sender: { documents: [{ ...one, upload: other }] } });
    expect(await rowsOf(db, account.accountId)).toMatchObject({ documents: 2, file_contents: 2 });
  });
});

describe('a sender without external_id', () => {
  const withoutId = (fields: object = {}) => withSender({}, { external_id: undefined, ...fields });

  it('gets one by a change, is found by it, and keeps it', async () => {
    const { caller, sender, path } = await withoutId();
    const named = bodyOf(await caller.patch(path, { sender: { external_id: 'c-9', city: 'Lagos' } })).object;
    expect(named).toEqual({ ...sender, external_id: 'c-9', city: 'Lagos' });
    expect(bodyOf(await caller.get('/v1/senders?external_id=c-9')).object).toEqual([named]);
    expect(bodyOf(await caller.post('/v1/senders', { sender: { external_id: 'c-9' } })).object).toEqual(named);
    expect((await caller.patch(path, { sender: { external_id: 'c-9' } })).status).toBe(200);
    expect(refusalsIn(await caller.patch(path, { sender: { external_id: 'c-10' } }))).toEqual(['external_id: invalid']);
    await createSender(caller, { external_id: 'c-10' });
  });

  it('does not get one that another sender has, which is returned', async () => {
    const { caller, sender, path, stored } = await withoutId();
    const other = await createSender(caller, { external_id: 'c-9' });
    const answer = await caller.patch(path, { sender: { external_id: 'c-9', city: 'Lagos' } });
    expect(refusalsIn(answer)).toEqual(['external_id: taken']);
    expect(bodyOf(answer)).toMatchObject({ meta: { existing: { sender: { id: other.id } } } });
    expect(await stored()).toEqual(sender);
  });

  it.each([
    ['a number', 5, 'invalid'],
    ['too long', 'x'.repeat(300), 'too_large'],
  ])('does not get one that is %s', async (_, external_id, word) => {
    const { caller, sender, path, stored } = await withoutId();
    expect(refusalsIn(await caller.patch(path, { sender: { external_id } }))).toEqual([`external_id: ${word}`]);
    expect(await stored()).toEqual(sender);
  });

  it('leaves no trace of an external_id whose change was refused', async () => {
    const { account, caller, path } = await withoutId();
    const refused = await caller.patch(path, { sender: { external_id: 'c-9', email: 'nobody' } });
    expect(refusalsIn(refused)).toEqual(['email: invalid']);
    expect((await caller.patch(`/v1/senders/${ids.next()}`, { sender: { external_id: 'c-9' } })).status).toBe(404);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ external_ids: 0 });
  });

  it('and nine like it ask for the same at once, by two processes: one gets it', async () => {
    const { account, caller } = await withoutId();
    const other = callerOf(secondEdge, account);
    const senders = await Promise.all(
      Array.from({ length: 10 }, () => createSender(caller, { external_id: undefined })),
    );
    const answers = await Promise.all(
      senders.map(({ id }, place) =>
        (place % 2 ? caller : other).patch(`/v1/senders/${id}`, { sender: { external_id: 'c-9' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(422)]);
    expect(await rowsOf(db, account.accountId)).toMatchObject({ external_ids: 1 });
  });
});

describe('a change that is refused', () => {
  it.each([
    ['a wrong value', { email: 'nobody', country: 'UK' }, ['country: not_in_list', 'email: invalid']],
    ['a needed field taken away', { first_name: '', phone_number: null }, ['first_name: blank', 'phone_number: blank']],
    ['a type that needs more', { type: 'business' }, ['name: blank', 'trading_country: blank']],
    ['another external_id', { external_id: 'c-2', city: 'Lagos' }, ['external_id: invalid']],
    ['metadata that is no object', { metadata: 'x' }, ['metadata: invalid']],
  ])('for %s changes nothing', async (_, fields, refusals) => {
    const { caller, sender, path, stored } = await withSender();
    expect(refusalsIn(await caller.patch(path, { sender: fields }))).toEqual(refusals);
    expect(await stored()).toEqual(sender);
  });

  it('is 422 without a sender in the body and 404 for an unknown id', async () => {
    const { caller, path } = await withSender();
    expect(refusalsIn(await caller.patch(path, {}))).toEqual(['sender: blank']);
    for (const id of [ids.next(), 'abc']) {
      expect((await caller.patch(`/v1/senders/${id}`, { sender: { city: 'Lagos' } })).status).toBe(404);
    }
  });
});

describe('a change of who the sender is', () => {
  it('starts the checks again where senders are checked', async () => {
    const { caller, sender, path } = await withSender({ kyc: 'review' });
    await approve(sender.id);
    expect(bodyOf(await caller.patch(path, { sender: { city: 'Lagos' } })).object).toMatchObject({ state: 'approved' });
    const { object } = bodyOf(await caller.patch(path, { sender: { last_name: 'Other' } }));
    expect(object).toMatchObject({ state: 'initial', state_reason: expect.stringContaining('checked again') });
  });

  it('does not where KYC is waived', async () => {
    const { caller, path } = await withSender();
    const { object } = bodyOf(await caller.patch(path, { sender: { last_name: 'Other' } }));
    expect(object).toMatchObject({ state: 'approved', state_reason: null });
  });
});

describe('a delete', () => {
  it('disables the sender, which can still be read, and may be repeated', async () => {
    const { caller, sender, path, stored } = await withSender();
    for (let times = 0; times < 2; times += 1) {
      const answer = await caller.delete(path);
      expect(answer.status).toBe(200);
      expect(bodyOf(answer).object).toEqual({ ...sender, state: 'disabled' });
    }
    expect(await stored()).toEqual({ ...sender, state: 'disabled' });
  });

  it('works from every state', async () => {
    for (const state of ['initial', 'verified', 'approved', 'banned', 'rejected']) {
      const { caller, sender, path } = await withSender();
      await db.execute('update senders set state = $2::text where sender_id = $1::uuid', [sender.id, state]);
      expect(bodyOf(await caller.delete(path)).object).toMatchObject({ state: 'disabled' });
    }
  });

  it('is final: a change after it is refused as a whole', async () => {
    const { caller, path, stored } = await withSender();
    await caller.delete(path);
    const answer = await caller.patch(path, { sender: { city: 'Lagos' } });
    expect(refusalsIn(answer)).toEqual(['base: disabled']);
    expect(bodyOf(answer).meta).toEqual({
      error: 'it was deleted; it can be read, but neither changed nor used',
    });
    expect(await stored()).toMatchObject({ city: 'London', state: 'disabled' });
  });

  it('is 404 for an unknown id, and 401 for a nonce that was used', async () => {
    const { caller, path } = await withSender();
    expect((await caller.delete(`/v1/senders/${ids.next()}`)).status).toBe(404);
    expect((await caller.delete('/v1/senders/abc')).status).toBe(404);
    expect((await caller.delete(path, { nonce: 'delete-once' })).status).toBe(200);
    expect((await caller.delete(path, { nonce: 'delete-once' })).status).toBe(401);
  });
});
