/** The desk as transactions use it: a decision that is not kept, and a batch that only calculates, leave no trace. */
import { describe, expect, it } from 'vitest';
import { ids, makeAccount } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { NOW, PERSON, PNG } from '../../../test/support/senders.ts';
import { pgFileStore } from '../documents/pg-files.ts';
import { decideSender } from './decide.ts';
import { type DeskOptions, makeWish, nameSenders, openSenderDesk, writeSenderDesk } from './desk.ts';
import { pageOfSenders } from './find.ts';

const { db } = await freshDatabase();
const WAIVED = { kyc: 'waived', wtr2: false } as const;

function wishOf(accountId: string, input: unknown) {
  return makeWish(ids, { accountId, at: NOW, placed: { place: 'transaction' }, input });
}

/** Decides the inputs in one batch and keeps those that are to be kept. */
async function run(
  accountId: string,
  inputs: readonly { input: unknown; keep: boolean }[],
  options?: Partial<DeskOptions>,
) {
  const wishes = inputs.map(({ input }) => wishOf(accountId, input));
  return db.inTx(async (tx) => {
    const desk = await openSenderDesk(tx, wishes, {
      terms: new Map([[accountId, WAIVED]]),
      policy: { screenWaived: false, recheckOnEdit: true, metadataRequired: true, hasLists: true },
      ...options,
    });
    const decisions = wishes.map((wish, index) => {
      const decision = decideSender(desk, wish);
      if (inputs[index]?.keep) desk.keep(decision);
      return decision;
    });
    if (!options?.isDryRun) await writeSenderDesk(tx, pgFileStore, desk);
    return decisions;
  });
}

async function rows(accountId: string) {
  const [found] = await db.query<{ senders: bigint; external_ids: bigint; documents: bigint }>(
    `select (select count(*) from senders where account_id = $1::uuid) as senders,
       (select count(*) from external_ids where account_id = $1::uuid) as external_ids,
       (select count(*) from documents where account_id = $1::uuid) as documents`,
    [accountId],
  );
  return found;
}

const WHOLE = { ...PERSON, external_id: 'c-1', documents: [{ upload: PNG, upload_file_name: 'p.png' }] };

describe('a decision', () => {
  it('that is not kept leaves neither sender nor external_id nor document', async () => {
    const { accountId } = await makeAccount(db);
    const [decision] = await run(accountId, [{ input: WHOLE, keep: false }]);
    expect(decision?.kind).toBe('created');
    expect(await rows(accountId)).toEqual({ senders: 0n, external_ids: 0n, documents: 0n });
  });

  it('that is not kept leaves an existing sender as it was', async () => {
    const { accountId } = await makeAccount(db);
    await run(accountId, [{ input: WHOLE, keep: true }]);
    const [decision] = await run(accountId, [{ input: { external_id: 'c-1', city: 'Lagos' }, keep: false }]);
    expect(decision).toMatchObject({ kind: 'updated', sender: { details: { city: 'Lagos' } } });
    const { senders } = await pageOfSenders({ db }, { accountId, page: 1, per: 10 });
    expect(senders).toMatchObject([{ details: { city: 'London' } }]);
  });

  it('that is not kept leaves the external_id to a later one of the batch', async () => {
    const { accountId } = await makeAccount(db);
    const [, second] = await run(accountId, [
      { input: WHOLE, keep: false },
      { input: WHOLE, keep: true },
    ]);
    expect(second?.kind).toBe('created');
    expect(await rows(accountId)).toEqual({ senders: 1n, external_ids: 1n, documents: 1n });
  });

  it('that changes nothing is not written', async () => {
    const { accountId } = await makeAccount(db);
    await run(accountId, [{ input: { ...WHOLE, documents: [] }, keep: true }]);
    const version = () =>
      db.query<{ xmin: string }>('select xmin::text from senders where account_id = $1::uuid', [accountId]);
    const before = await version();
    const [decision] = await run(accountId, [{ input: { ...WHOLE, documents: [] }, keep: true }]);
    expect(decision?.kind).toBe('updated');
    expect(await version()).toEqual(before);
  });
});

describe('a batch that only calculates', () => {
  it('decides as the real one would and reserves nothing', async () => {
    const { accountId } = await makeAccount(db);
    const options = { isDryRun: true };
    const [fresh] = await run(accountId, [{ input: WHOLE, keep: false }], options);
    expect(fresh?.kind).toBe('created');
    await run(accountId, [{ input: WHOLE, keep: true }]);
    const [known] = await run(accountId, [{ input: { external_id: 'c-1', city: 'Lagos' }, keep: false }], options);
    expect(known?.kind).toBe('updated');
    expect(await rows(accountId)).toEqual({ senders: 1n, external_ids: 1n, documents: 1n });
  });
});

describe('a batch of several accounts that number their senders alike', () => {
  it('names for each account the sender that it asked for, and no other', async () => {
    const [first, second] = [await makeAccount(db), await makeAccount(db)];
    for (const { accountId } of [first, second]) {
      const inputs = ['1', '2', '3'].map((number) => ({ input: { ...PERSON, external_id: number }, keep: true }));
      await run(accountId, inputs);
    }
    const wishes = [wishOf(first.accountId, { external_id: '1' }), wishOf(second.accountId, { external_id: '2' })];
    const { keys } = await db.inTx((tx) => nameSenders(tx, wishes, {}));
    const idOf = async (accountId: string, externalId: string) => {
      const { senders } = await pageOfSenders({ db }, { accountId, page: 1, per: 10 });
      return senders.find((sender) => sender.externalId === externalId)?.senderId;
    };
    expect(keys).toHaveLength(2);
    expect(keys).toEqual(
      expect.arrayContaining([
        { accountId: first.accountId, senderId: await idOf(first.accountId, '1') },
        { accountId: second.accountId, senderId: await idOf(second.accountId, '2') },
      ]),
    );
  });
});
