/** Changing the terms of an account, and with them what its balances are allowed. */
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { type Account, type AccountTerms, changeTerms } from './account.ts';
import { accountNotFound } from './find.ts';
import { done, type Outcome, refusedAction } from './operator-refusals.ts';
import { copyOverdraftTerm, lockBelowZero } from './overdraft.ts';
import { lockAccount, updateAccount } from './store.ts';

interface AccountChange {
  readonly accountId: string;
  /** Tidy; what it leaves out stays as it is. */
  readonly change: Partial<AccountTerms>;
  readonly at: Date;
}

/** Refuses with account_not_found, invalid, wtr2_needs_full_kyc, balance_below_zero. */
export async function changeAccount(
  tx: Tx,
  { accountId, change, at }: AccountChange,
): Promise<Outcome<{ before: Account; after: Account }>> {
  const before = await lockAccount(tx, accountId);
  if (!before) return accountNotFound(accountId);
  const decided = changeTerms(before, change);
  if (!decided.ok) return decided;
  const after: Account = { ...before, ...decided.value, updatedAt: at };
  if (change.negativeBalance !== undefined) {
    const belowZero = await lockBelowZero(tx, accountId);
    if (!after.negativeBalance && belowZero.length > 0) {
      return refusedAction('balance_below_zero', `below zero: ${belowZero.join(', ')}; credit the balance first`);
    }
    await copyOverdraftTerm(tx, accountId, after.negativeBalance);
  }
  await updateAccount(tx, after);
  return done({ before, after });
}

/** Adds a currency in which it may be paid out without exchange. Refuses with account_not_found, already_open. */
export async function addSameCurrency(
  tx: Tx,
  { accountId, currency, at }: { readonly accountId: string; readonly currency: CurrencyCode; readonly at: Date },
): Promise<Outcome<{ before: Account; after: Account }>> {
  const before = await lockAccount(tx, accountId);
  if (!before) return accountNotFound(accountId);
  if (before.sameCurrency.includes(currency)) return refusedAction('already_open');
  const after: Account = { ...before, sameCurrency: [...before.sameCurrency, currency].sort(), updatedAt: at };
  await updateAccount(tx, after);
  return done({ before, after });
}
