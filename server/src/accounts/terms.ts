/** What the accounts of a batch have agreed on. */
import type { Tx } from '../kernel/database.ts';
import type { Account } from './account.ts';
import { readAccounts } from './store.ts';

export type { Account } from './account.ts';

/** By account id. */
export async function readTerms(tx: Tx, accountIds: readonly string[]): Promise<Map<string, Account>> {
  if (accountIds.length === 0) return new Map();
  const accounts = await readAccounts(tx, [...new Set(accountIds)]);
  return new Map(accounts.map((account) => [account.accountId, account]));
}
