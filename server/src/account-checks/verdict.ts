/**
 * What an answer means for a payout: the account is the one that was meant, or another one, or nobody could tell. Pure.
 * With the words for the recipient's metadata, which are published. Spec: Validation inside the transaction flow. Open
 * point OP-57.
 */
import { unreachable } from '../kernel/assert.ts';
import type { CheckAnswer, CheckKind, CheckQuestion } from './account-check.ts';
import { isSameName } from './match-names.ts';

export type Verdict =
  | {
      readonly kind: 'match' | 'mismatch';
      readonly of: CheckKind;
      /** What was looked up, as the recipient's metadata shows it. */
      readonly found: Readonly<Record<string, unknown>>;
    }
  /** No such account, or no answer: the service looks again. */
  | { readonly kind: 'unverified' };

export function verdictOf(question: CheckQuestion, answer: CheckAnswer): Verdict {
  switch (answer.kind) {
    case 'name': {
      const { accountName } = answer;
      const isSame = isSameName(question.expectedName ?? '', accountName);
      // The look-up worked, whatever it found: that is what the published samples mean by `valid?`.
      const found = { provider_name_validation: { 'valid?': true, account_name: accountName } };
      return { kind: isSame ? 'match' : 'mismatch', of: 'name', found };
    }
    case 'telco': {
      const { mobileProvider } = answer;
      const isSame = mobileProvider === question.account.mobile_provider;
      const found = { provider_network_validation: { 'valid?': true, mapped_mobile_provider: mobileProvider } };
      return { kind: isSame ? 'match' : 'mismatch', of: 'telco', found };
    }
    case 'status': {
      const isActive = answer.status === 'active';
      const found = { provider_account_status_validation: { 'valid?': isActive, account_status: answer.status } };
      return { kind: isActive ? 'match' : 'mismatch', of: 'status', found };
    }
    case 'not_found':
    case 'unavailable':
      return { kind: 'unverified' };
    default:
      return unreachable(answer);
  }
}
