/** Makes accounts without balances, for tests of the books and of the rows that stand beside them. */
import { insertAccount } from '../../server/src/accounts/store.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';

export const ids = timeOrderedIds();
export const NOON = new Date('2026-11-15T12:00:00Z');

/** One new account for each element, in order; true where its balances may go below zero. */
export async function makeAccounts(db: Database, negativeBalances: readonly boolean[]): Promise<string[]> {
  return db.inTx(async (tx) => {
    const accountIds: string[] = [];
    for (const negativeBalance of negativeBalances) {
      const accountId = ids.next();
      await insertAccount(tx, {
        accountId,
        name: 'Made for a test',
        fullKyc: false,
        kyc: 'waived',
        wtr2: false,
        negativeBalance,
        accountValidation: false,
        sameCurrency: [],
        corridors: null,
        createdAt: NOON,
        updatedAt: NOON,
      });
      accountIds.push(accountId);
    }
    return accountIds;
  });
}

export async function makeAccount(db: Database, options: { negativeBalance?: boolean } = {}): Promise<string> {
  const [accountId = ''] = await makeAccounts(db, [options.negativeBalance ?? false]);
  return accountId;
}
