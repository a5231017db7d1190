/** What a batch does that a single call cannot show: commands that see each other, and commands that are run again. */
import { describe, expect, it } from 'vitest';
import { ids, makeAccount, settingsFor } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { NOW, PERSON, PNG } from '../../../test/support/senders.ts';
import { pgFileStore } from '../documents/pg-files.ts';
import { makeWish } from './desk.ts';
import { disableSenders } from './disable.ts';
import { findSender } from './find.ts';
import { putSenders, type SenderAnswer, type SenderCommand } from './put.ts';
import type { PlacedAt } from './reference.ts';
import type { Sender } from './sender.ts';

const { db } = await freshDatabase();
const ctx = { db, settings: settingsFor({}), files: pgFileStore };

function command(accountId: string, input: unknown, placed: PlacedAt = { place: 'senders' }): SenderCommand {
  const call = { accountId, key: 'key', nonce: ids.next(), commandId: ids.next(), at: NOW };
  return { call, wish: makeWish(ids, { accountId, at: NOW, placed, input }) };
}

async function put(...commands: SenderCommand[]): Promise<SenderAnswer[]> {
  return putSenders(ctx, commands);
}

function senderIn(answer: SenderAnswer | undefined): Sender {
  if (!answer || !('sender' in answer)) throw new Error(`no sender: ${JSON.stringify(answer)}`);
  return answer.sender;
}

const newAccount = async () => (await makeAccount(db)).accountId;
const ownersOf = (accountId: string) =>
  db.query<{ external_id: string; object_id: string }>(
    'select external_id, object_id from external_ids where account_id = $1::uuid',
    [accountId],
  );

describe('in one batch', () => {
  it('of two senders with one external_id the first gets it, and the second is told of it', async () => {
    const accountId = await newAccount();
    const [first, second] = await put(
      command(accountId, { ...PERSON, external_id: 'c-1' }),
      command(accountId, { ...PERSON, external_id: 'c-1', city: 'Lagos' }),
    );
    expect(first?.kind).toBe('created');
    expect(second).toMatchObject({ kind: 'refused', refusals: [{ code: 'taken' }], existing: senderIn(first) });
  });

  it('a refused sender leaves its external_id to the next that wants it', async () => {
    const accountId = await newAccount();
    const answers = await put(
      command(accountId, { ...PERSON, external_id: 'c-1', email: 'nobody' }),
      command(accountId, { ...PERSON, external_id: 'c-1' }),
      command(accountId, { ...PERSON, external_id: 'c-2', email: 'nobody' }),
    );
    expect(answers.map((answer) => answer.kind)).toEqual(['refused', 'created', 'refused']);
    expect(await ownersOf(accountId)).toEqual([{ external_id: 'c-1', object_id: senderIn(answers[1]).senderId }]);
  });

  it('a sender that was just created is found by its external_id', async () => {
    const accountId = await newAccount();
    const [created, used] = await put(
      command(accountId, { ...PERSON, external_id: 'c-1' }),
      command(accountId, { external_id: 'c-1' }),
    );
    expect(used).toEqual({ kind: 'used', sender: senderIn(created) });
  });

  it('inside transactions, the first sender with an external_id is created and the next one updates it', async () => {
    const accountId = await newAccount();
    const placed = { place: 'transaction' } as const;
    const answers = await put(
      command(accountId, { ...PERSON, external_id: 'c-1' }, placed),
      command(accountId, { external_id: 'c-1', city: 'Lagos' }, placed),
      command(accountId, { external_id: 'c-1', street: '2 Short Road' }, placed),
    );
    expect(answers.map((answer) => answer.kind)).toEqual(['created', 'updated', 'updated']);
    const stored = await findSender(ctx, senderIn(answers[0]));
    expect(stored?.details).toMatchObject({ city: 'Lagos', street: '2 Short Road', postal_code: PERSON.postal_code });
    expect(stored).toEqual(senderIn(answers[2]));
  });

  it('several changes of one sender are made one upon the other', async () => {
    const accountId = await newAccount();
    const { senderId } = senderIn((await put(command(accountId, PERSON)))[0]);
    const placed = { place: 'path', senderId } as const;
    await put(
      command(accountId, { city: 'Lagos' }, placed),
      command(accountId, { email: 'nobody' }, placed),
      command(accountId, { occupation: 'engineer' }, placed),
    );
    const stored = await findSender(ctx, { accountId, senderId });
    expect(stored?.details).toMatchObject({ city: 'Lagos', occupation: 'engineer', email: PERSON.email });
  });

  it('accounts with the same external_id do not meet', async () => {
    const accounts = [await newAccount(), await newAccount()];
    const [, mine] = await put(...accounts.map((accountId) => command(accountId, { ...PERSON, external_id: 'c-1' })));
    const answers = await put(
      ...accounts.map((accountId) => command(accountId, { external_id: 'c-1' })),
      command(String(accounts[0]), { id: senderIn(mine).senderId, city: 'Lagos' }),
      command(String(accounts[1]), { ...PERSON, external_id: 'c-2' }),
      command(String(accounts[0]), { external_id: 'c-2' }),
    );
    expect(answers.map((answer) => answer.kind)).toEqual(['used', 'used', 'refused', 'created', 'refused']);
    expect(answers.slice(0, 2).map((answer) => senderIn(answer).accountId)).toEqual(accounts);
  });
});

describe('a command that is run again because its answer was lost', () => {
  it('answers with the sender that it created, and creates no other', async () => {
    const accountId = await newAccount();
    const documents = [{ upload: PNG, upload_file_name: 'p.png' }];
    const create = command(accountId, { ...PERSON, external_id: 'c-1', documents });
    const [first] = await put(create);
    const { senderId } = senderIn(first);
    await put(command(accountId, { city: 'Lagos' }, { place: 'path', senderId }));
    const [again, other] = await put(create, command(accountId, { ...PERSON, external_id: 'c-2' }));
    expect(first?.kind).toBe('created');
    expect(again).toEqual(first);
    expect(other?.kind).toBe('created');
    expect(await ownersOf(accountId)).toHaveLength(2);
  });

  it('does not write over a later change, nor attach its documents twice', async () => {
    const accountId = await newAccount();
    const { senderId } = senderIn((await put(command(accountId, PERSON)))[0]);
    const placed = { place: 'path', senderId } as const;
    const documents = [{ upload: PNG, upload_file_name: 'p.png' }];
    const update = command(accountId, { city: 'Lagos', documents }, placed);
    const [first] = await put(update);
    expect(first).toMatchObject({ kind: 'updated', sender: { details: { city: 'Lagos' } } });
    await put(command(accountId, { city: 'Nairobi' }, placed));
    expect(await put(update)).toEqual([first]);
    const stored = await findSender(ctx, { accountId, senderId });
    expect(stored?.details).toMatchObject({ city: 'Nairobi' });
    expect(stored?.documents).toHaveLength(1);
  });

  it('is still told that it was done when the sender was deleted since', async () => {
    const accountId = await newAccount();
    const { senderId } = senderIn((await put(command(accountId, PERSON)))[0]);
    const update = command(accountId, { city: 'Lagos' }, { place: 'path', senderId });
    const first = await put(update);
    await disableSenders(ctx, [{ call: command(accountId, {}).call, senderId }]);
    expect(await put(update)).toEqual(first);
  });

  it('stays refused when what it was refused for is there now', async () => {
    const accountId = await newAccount();
    const early = command(accountId, { external_id: 'later' });
    const first = await put(early);
    expect(first).toMatchObject([{ kind: 'refused' }]);
    await put(command(accountId, { ...PERSON, external_id: 'later' }));
    expect(await put(early)).toEqual(first);
  });

  it('is refused again when it was refused', async () => {
    const accountId = await newAccount();
    const bad = command(accountId, { ...PERSON, ip: 'nowhere' });
    expect(await put(bad)).toEqual(await put(bad));
    expect(await ownersOf(accountId)).toEqual([]);
  });

  it('deletes again what it deleted', async () => {
    const accountId = await newAccount();
    const { senderId } = senderIn((await put(command(accountId, PERSON)))[0]);
    const { call } = command(accountId, {});
    const first = await disableSenders(ctx, [{ call, senderId }]);
    expect(await disableSenders(ctx, [{ call, senderId }])).toEqual(first);
    expect(first).toMatchObject([{ kind: 'disabled', sender: { state: 'disabled' } }]);
  });

  it('is a replay when another command bears its nonce', async () => {
    const accountId = await newAccount();
    const create = command(accountId, PERSON);
    await put(create);
    const other = { ...create, call: { ...create.call, commandId: ids.next() } };
    expect(await put(other)).toEqual([{ kind: 'replayed' }]);
  });
});
