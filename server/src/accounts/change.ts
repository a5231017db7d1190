/** Changing the terms of an account, and with them what its balances are allowed. */
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { type Account, type AccountTerms, changeTerms } from './account.ts';
import { accountNotFound } from './find.ts';
import { done, type Outcome, refusedAction } from './operator-refusals.ts';
import { copyOverdraftTerm, lockBelowZero } from './overdraft.ts';
import { findAccount, lockAccount, updateAccount } from './store.ts';

interface ChangedTerms {
  readonly before: Account;
  readonly after: Account;
}

interface AccountChange {
  readonly accountId: string;
  /** Tidy; what it leaves out stays as it is. */
  readonly change: Partial<AccountTerms>;
  readonly at: Date;
  /** Makes senders due where the KYC of the new terms asks for it, and gives how many. */
  readonly follow: (changed: ChangedTerms) => Promise<number>;
}

/**
 * Somebody else has changed the terms between two looks at them: nothing has happened, and the command is run again.
 */
class TermsMoved extends Error {
  readonly code = '40001';
}

/**
 * Senders are locked before their account, as creation does that adds a balance, and balances behind it. So the terms
 * are looked at before they are locked, and again. Refuses with account_not_found, invalid, wtr2_needs_full_kyc,
 * balance_below_zero.
 */
export async function changeAccount(
  tx: Tx,
  { accountId, change, at, follow }: AccountChange,
): Promise<Outcome<ChangedTerms & { readonly sendersDue: number }>> {
  const seen = await findAccount(tx, accountId);
  const foreseen = changed(seen, { accountId, change, at });
  if (!foreseen.ok) return foreseen;
  const sendersDue = await follow(foreseen.value);
  const decided = changed(await lockAccount(tx, accountId), { accountId, change, at });
  if (!decided.ok) return decided;
  const { before, after } = decided.value;
  if (before.kyc !== seen?.kyc) throw new TermsMoved();
  if (change.negativeBalance !== undefined) {
    const belowZero = await lockBelowZero(tx, accountId);
    if (!after.negativeBalance && belowZero.length > 0) {
      return refusedAction('balance_below_zero', `below zero: ${belowZero.join(', ')}; credit the balance first`);
    }
    await copyOverdraftTerm(tx, accountId, after.negativeBalance);
  }
  await updateAccount(tx, after);
  return done({ before, after, sendersDue });
}

function changed(
  before: Account | undefined,
  { accountId, change, at }: Omit<AccountChange, 'follow'>,
): Outcome<ChangedTerms> {
  if (!before) return accountNotFound(accountId);
  const decided = changeTerms(before, change);
  return decided.ok ? done({ before, after: { ...before, ...decided.value, updatedAt: at } }) : decided;
}

/** Adds a currency in which it may be paid out without exchange. Refuses with account_not_found, already_open. */
export async function addSameCurrency(
  tx: Tx,
  { accountId, currency, at }: { readonly accountId: string; readonly currency: CurrencyCode; readonly at: Date },
): Promise<Outcome<ChangedTerms>> {
  const before = await lockAccount(tx, accountId);
  if (!before) return accountNotFound(accountId);
  if (before.sameCurrency.includes(currency)) return refusedAction('already_open');
  const after: Account = { ...before, sameCurrency: [...before.sameCurrency, currency].sort(), updatedAt: at };
  await updateAccount(tx, after);
  return done({ before, after });
}
