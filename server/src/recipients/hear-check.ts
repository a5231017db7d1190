/**
 * What the check of its account makes of a recipient: it is paid, or stopped until its details are edited, or checked
 * again later. Pure. Failures to verify an account never count towards manual. Spec: Validation inside the transaction
 * flow, Recipient states. Open points OP-57, OP-58, OP-197 and OP-198.
 */
import type { CheckKind } from '../account-checks/account-check.ts';
import type { Verdict } from '../account-checks/verdict.ts';
import { type Effect, moved, withoutCheck } from './effects.ts';
import { nextCheckAt, type PayoutPolicy } from './pace.ts';
import type { Recipient } from './recipient.ts';
import { reasonOf, type StateReason } from './state-reason.ts';

interface CheckHearing {
  readonly recipient: Recipient;
  readonly verdict: Verdict;
  /** When the provider will have news of an earlier attempt: it is still to be heard. */
  readonly newsAt: Date | null;
  readonly now: Date;
  readonly policy: PayoutPolicy;
}

const MENDED_BY_EDIT = 'The payout goes on once the recipient details are updated.';
/** The published code for names; for the others the published codes that say the same of an account. */
const MISMATCHES: Readonly<Record<CheckKind, { readonly code: string; readonly text: string }>> = {
  name: { code: '44', text: `The holder of the account has another name than the recipient. ${MENDED_BY_EDIT}` },
  telco: { code: '413', text: `The phone number belongs to another operator than the one given. ${MENDED_BY_EDIT}` },
  status: { code: '432', text: `The account is not active. ${MENDED_BY_EDIT}` },
};
const UNVERIFIED = {
  code: '3',
  text: 'The account could not be verified. It is checked again until there is an answer or the recipient is canceled.',
};

export function hearCheck({ recipient, verdict, newsAt, now, policy }: CheckHearing): Effect {
  const checked = { ...withoutCheck(recipient), metadata: withFinding(recipient.metadata, verdict) };
  switch (verdict.kind) {
    case 'match':
      return quietly({ ...checked, isChecked: true, checkFailures: 0, nextAttemptAt: now });
    case 'mismatch':
      return failed({ ...checked, checkFailures: 0, nextAttemptAt: newsAt }, reasonFor(MISMATCHES[verdict.of]));
    case 'unverified': {
      const checkFailures = recipient.checkFailures + 1;
      const again = nextCheckAt({ jitterId: recipient.checkId ?? recipient.recipientId, checkFailures }, now, policy);
      const nextAttemptAt = newsAt !== null && newsAt < again ? newsAt : again;
      return failed({ ...checked, checkFailures, nextAttemptAt }, reasonFor(UNVERIFIED));
    }
  }
}

function withFinding(metadata: Recipient['metadata'], verdict: Verdict): Recipient['metadata'] {
  return verdict.kind === 'unverified' ? metadata : { ...metadata, ...verdict.found };
}

function failed(recipient: Recipient, reason: StateReason): Effect {
  return {
    recipient: { ...moved(recipient, 'fail'), stateReason: reason.text, stateReasonDetails: reason.details },
    money: [],
    events: ['recipient.error'],
  };
}

function quietly(recipient: Recipient): Effect {
  return { recipient, money: [], events: [] };
}

/** The messages of the code, and words that say what to do about it. */
function reasonFor({ code, text }: { readonly code: string; readonly text: string }): StateReason {
  return { text, details: { ...reasonOf(code).details, description: text } };
}
