/**
 * The port to whoever can look an account up: who holds it, which operator it belongs to, or whether it is live. A
 * closed set of answers; `unavailable` says nothing about the account. Asking changes nothing anywhere, so a question
 * may be asked again. test/account-validation/kit.ts has the cases that every implementation must pass.
 * Spec: endpoint 15.
 */
import type { AccountCheckRow } from '../corridors/corridor.ts';
import { faultOfText, isBlank } from '../kernel/storable.ts';

export type CheckKind = AccountCheckRow['kind'];

export const ACCOUNT_FIELDS = ['bank_account', 'bank_code', 'phone_number', 'mobile_provider'] as const;
type AccountField = (typeof ACCOUNT_FIELDS)[number];

export interface CheckQuestion {
  readonly kind: CheckKind;
  /** `NGN::Bank`. */
  readonly payoutType: string;
  readonly country: string;
  /** The fields that the market has, in the form in which payouts use them. */
  readonly account: Readonly<Partial<Record<AccountField, string>>>;
  /** Who is thought to hold it, where that is known. Only a hint: the answer is what the register says. */
  readonly expectedName?: string;
}

export type CheckAnswer =
  | { readonly kind: 'name'; readonly accountName: string }
  | { readonly kind: 'telco'; readonly mobileProvider: string }
  | { readonly kind: 'status'; readonly status: 'active' | 'inactive' }
  /** Whoever was asked knows no such account. */
  | { readonly kind: 'not_found' }
  /** Nobody could tell: no answer in time, or none that could be read. */
  | { readonly kind: 'unavailable'; readonly why: string };

export interface AccountCheck {
  readonly name: string;
  check(question: CheckQuestion, signal: AbortSignal): Promise<CheckAnswer>;
  /** Gives back what it holds, such as connections. Called once, when no call is under way. */
  close?(): Promise<void>;
}

/** What an answer says, if it says anything about what was asked. */
export function readable(question: CheckQuestion, answer: CheckAnswer): CheckAnswer {
  switch (answer?.kind) {
    case 'not_found':
    case 'unavailable':
      return answer;
    case 'name':
      return answer.kind === question.kind && isText(answer.accountName) ? answer : OTHER;
    case 'telco':
      return answer.kind === question.kind && isText(answer.mobileProvider) ? answer : OTHER;
    case 'status':
      return answer.kind === question.kind && ['active', 'inactive'].includes(answer.status) ? answer : OTHER;
    default:
      return OTHER;
  }
}

const OTHER: CheckAnswer = { kind: 'unavailable', why: 'an answer to something else' };

/** It is shown, and kept with the recipient. */
function isText(value: unknown): boolean {
  return !isBlank(value) && faultOfText(value) === undefined;
}
