/**
 * Lists of all accounts that may be asked for one of them. A mistyped id must not look like an account with nothing to
 * do.
 */
import { accountById } from '../accounts/find.ts';
import { done, type Outcome } from '../accounts/operator-refusals.ts';
import type { OperatorContext } from './command.ts';

/** Without an account it lists those of all. Refuses with account_not_found. */
export async function listFor<List>(
  { db }: Pick<OperatorContext, 'db'>,
  accountId: string | undefined,
  list: (accountId: string | null) => Promise<List>,
): Promise<Outcome<List>> {
  if (accountId === undefined) return done(await list(null));
  const account = await db.inTx((tx) => accountById(tx, accountId));
  return account.ok ? done(await list(account.value.accountId)) : account;
}
