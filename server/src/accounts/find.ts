/** Looking accounts up: by id, or page by page. */
import type { Tx } from '../kernel/database.ts';
import type { Account } from './account.ts';
import { done, type Outcome, refusedAction } from './operator-refusals.ts';
import { findAccount, listAccounts } from './store.ts';

/** Refuses with account_not_found. */
export async function accountById(tx: Tx, accountId: string): Promise<Outcome<Account>> {
  const account = await findAccount(tx, accountId);
  return account ? done(account) : accountNotFound(accountId);
}

export function accountNotFound(accountId: string): Outcome<never> {
  return refusedAction('account_not_found', `no account has the id ${accountId}`);
}

interface AccountPage {
  readonly accounts: readonly Account[];
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

/** In the order of their creation. */
export async function accountPage(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<AccountPage> {
  const accounts = await listAccounts(tx, { after, limit });
  return { accounts, next: accounts.length === limit ? (accounts.at(-1)?.accountId ?? null) : null };
}
