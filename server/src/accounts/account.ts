/**
 * An account: our customer, and the tenant of everything else. What it agreed on with the operator are its terms.
 * Spec: What the service does (8), Sender (WTR2 mode), Account balance (negative_balance), Transaction (traits).
 */
import type { CurrencyCode } from '../money/currencies.ts';
import type { Mode } from '../settings/setting.ts';
import { done, type Outcome, refusedAction } from './operator-refusals.ts';

/** How its senders are checked: approved at once, by an operator's decision, or by papers. */
export const KYC_KINDS = ['waived', 'review', 'documents'] as const;
export type KycKind = (typeof KYC_KINDS)[number];

export const MAX_ACCOUNT_NAME_CHARS = 200;

export interface AccountTerms {
  /** For operators. */
  readonly name: string;
  /** The account checks its senders itself, so that a sender may come with its first transaction. */
  readonly fullKyc: boolean;
  readonly kyc: KycKind;
  /** Fewer sender details suffice; only with fullKyc. */
  readonly wtr2: boolean;
  readonly negativeBalance: boolean;
  /** Whether recipient accounts are checked when a transaction does not say. */
  readonly accountValidation: boolean;
  /** Currencies in which it may be paid out without exchange. */
  readonly sameCurrency: readonly CurrencyCode[];
  /** The payout and payin types that it may use; null: all of them. */
  readonly corridors: readonly string[] | null;
}

export interface Account extends AccountTerms {
  readonly accountId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** `isOwn`: into a balance, which is the account's own and needs nobody's permission. Open point OP-128. */
export function mayUse(
  { corridors }: Pick<AccountTerms, 'corridors'>,
  { type, isOwn = false }: { readonly type: string; readonly isOwn?: boolean },
): boolean {
  return isOwn || corridors === null || corridors.includes(type);
}

/** A sandbox account can be used at once; a live one is given nothing that an operator did not decide. */
export function defaultTerms(mode: Mode): Omit<AccountTerms, 'name'> {
  const isSandbox = mode === 'sandbox';
  return {
    fullKyc: isSandbox,
    kyc: isSandbox ? 'waived' : 'review',
    wtr2: false,
    negativeBalance: false,
    accountValidation: false,
    sameCurrency: [],
    corridors: null,
  };
}

/** A change as it will be stored: names without space around them, lists sorted and without doubles. */
export function tidyTerms(change: Partial<AccountTerms>): Partial<AccountTerms> {
  return {
    ...change,
    ...(change.name === undefined ? {} : { name: change.name.trim() }),
    ...(change.sameCurrency === undefined ? {} : { sameCurrency: [...new Set(change.sameCurrency)].sort() }),
    ...(change.corridors ? { corridors: [...new Set(change.corridors)].sort() } : {}),
  };
}

/** The terms after a tidy change. Refuses with invalid (the name), wtr2_needs_full_kyc. */
export function changeTerms(terms: AccountTerms, change: Partial<AccountTerms>): Outcome<AccountTerms> {
  const changed = { ...terms, ...change };
  if (changed.name.length === 0 || changed.name.length > MAX_ACCOUNT_NAME_CHARS) {
    return refusedAction('invalid', `name: has 1 to ${MAX_ACCOUNT_NAME_CHARS} characters`);
  }
  if (changed.wtr2 && !changed.fullKyc) {
    return refusedAction('wtr2_needs_full_kyc', 'wtr2 is only for accounts with full_kyc; set both or neither');
  }
  return done(changed);
}
