/** The terms of an account change together with what follows from them, and locks are taken in the order of all. */
import { expect, it } from 'vitest';
import { makeAccount } from '../../../test/http/edge.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { mayRunAgain } from '../kernel/batch.ts';
import { changeAccount } from './change.ts';
import { findAccount } from './store.ts';

const { db } = await freshDatabase();
const AT = new Date('2026-01-01T12:00:00Z');
const change = { kyc: 'review', negativeBalance: true } as const;

it('neither the account nor its balances are locked before its senders have followed', async () => {
  const { accountId } = await makeAccount(db);
  const isFree = async () => {
    const free = await db.query('select 1 from accounts where account_id = $1::uuid for update skip locked', [
      accountId,
    ]);
    return free.length === 1;
  };
  const seen: boolean[] = [];
  const outcome = await db.inTx(async (tx) => {
    const changed = await changeAccount(tx, {
      ...{ accountId, change, at: AT },
      follow: async ({ before, after }) => {
        seen.push(before.kyc === 'waived', after.kyc === 'review', await isFree());
        return 7;
      },
    });
    seen.push(await isFree());
    return changed;
  });
  expect(seen).toEqual([true, true, true, false]);
  expect(outcome).toMatchObject({ ok: true, value: { sendersDue: 7, after: change } });
});

it('an account whose terms somebody else has changed meanwhile is left alone, and the command is run again', async () => {
  const { accountId } = await makeAccount(db);
  const other = () => db.execute(`update accounts set kyc = 'documents' where account_id = $1::uuid`, [accountId]);
  const changing = db.inTx((tx) => changeAccount(tx, { accountId, change, at: AT, follow: other }));
  const fault = await changing.catch((thrown: unknown) => thrown);
  expect(mayRunAgain(fault)).toBe(true);
  const account = await db.inTx((tx) => findAccount(tx, accountId));
  expect(account).toMatchObject({ kyc: 'documents', negativeBalance: false });
});

it('what the terms do not allow is refused before anything follows', async () => {
  const { accountId } = await makeAccount(db);
  const terms = { wtr2: true, fullKyc: false };
  const follow = () => Promise.reject(new Error('it followed'));
  const outcome = await db.inTx((tx) => changeAccount(tx, { accountId, change: terms, at: AT, follow }));
  expect(outcome).toMatchObject({ ok: false, refusal: { code: 'wtr2_needs_full_kyc' } });
});
