/**
 * What an answer about an attempt makes of its recipient: the moves, the money, the events, the next time. Pure, and
 * safe to be told the same thing twice. Unknown is never taken for failed. Spec: Recipient states, Error detail object.
 */
import { unreachable } from '../kernel/assert.ts';
import { HAS_ORDER } from '../providers/order-codes.ts';
import type { PayoutAnswer, ProviderFacts } from '../providers/payout-provider.ts';
import { believed, saysItHasOrder } from './doubt.ts';
import { endAsAsked, ended, type Heard, type Hearing, moved, refunded, withFacts } from './effects.ts';
import { hearDenial, hearMore, hearPaid } from './hear-paid.ts';
import { isSilent, nextAskAt, nextTryAt } from './pace.ts';
import type { Recipient } from './recipient.ts';
import { reasonOf, waitReasonOf } from './state-reason.ts';

export function hear(hearing: Hearing): Heard {
  const { recipient, attempt } = hearing;
  const unchanged: Heard = { recipient, attempt, money: [], events: [] };
  // What was forced in the sandbox stays so, whatever its simulated provider had in mind.
  if (attempt.decidedBy === 'sandbox') return unchanged;
  const answer = believed(hearing);
  switch (answer.kind) {
    case 'paid':
      if (attempt.outcome === 'paid') return hearMore(hearing, answer.paidMinor) ?? unchanged;
      return hearPaid(knowing(hearing, answer.facts), answer.paidMinor ?? recipient.outputAmount);
    case 'failed':
      if (attempt.outcome === 'failed') return unchanged;
      if (attempt.outcome === null) return hearFailed(hearing, answer);
      // That it takes no orders now says nothing about one that it has paid.
      return answer.isDown === true ? unchanged : hearDenial(hearing);
    case 'pending':
      return attempt.outcome === null ? hearPending(hearing, answer) : unchanged;
    case 'unknown':
      return attempt.outcome === null ? hearNothing(hearing) : unchanged;
    default:
      return unreachable(answer);
  }
}

function knowing(hearing: Hearing, facts: ProviderFacts | undefined): Hearing {
  const { recipient } = hearing;
  return { ...hearing, recipient: { ...recipient, metadata: withFacts(recipient.metadata, facts) } };
}

function isAwaited({ state }: Recipient): boolean {
  return state === 'pending' || state === 'stuck';
}

function hearFailed(hearing: Hearing, { code, isDown }: Extract<PayoutAnswer, { kind: 'failed' }>): Heard {
  const { recipient, now, policy } = hearing;
  const attempt = ended(hearing, 'failed', { paidAmount: null, code });
  if (!isAwaited(recipient)) {
    return { recipient: { ...recipient, nextAttemptAt: null }, attempt, money: [], events: [] };
  }
  if (recipient.cancelRequestedAt !== null) return { ...refunded(recipient, 'cancel', endAsAsked(hearing)), attempt };
  const reason = reasonOf(code);
  // A provider that takes no orders at all says nothing about this recipient.
  const errorCount = recipient.errorCount + (isDown === true ? 0 : 1);
  const failed: Recipient = {
    ...moved(recipient, 'fail'),
    stateReason: reason.text,
    stateReasonDetails: reason.details,
    errorCount,
    updateRequested: false,
    nextAttemptAt: nextTryAt(attempt, { category: reason.details.category, errorCount }, now, policy),
  };
  const isOver = errorCount >= policy.errorsBeforeManual;
  return {
    recipient: isOver ? { ...moved(failed, 'give_up'), nextAttemptAt: null } : failed,
    attempt,
    money: [],
    events: ['recipient.error'],
  };
}

function hearPending(hearing: Hearing, answer: Extract<PayoutAnswer, { kind: 'pending' }>): Heard {
  const { recipient, now, policy } = hearing;
  const attempt = { ...hearing.attempt, heardAt: now, asks: hearing.attempt.asks + 1, code: answer.code ?? null };
  const nextAttemptAt = nextAskAt(attempt, now, policy);
  if (!isAwaited(recipient)) return { recipient: { ...recipient, nextAttemptAt }, attempt, money: [], events: [] };
  const metadata = withFacts(recipient.metadata, answer.facts);
  // Open point OP-71. Cash waits for the recipient, who needs the reference: the caller hears it as soon as we do.
  const isNews = hearing.isCash && metadata !== recipient.metadata;
  return {
    recipient: { ...recipient, metadata, stateReasonDetails: waitReasonOf(answer.code).details, nextAttemptAt },
    attempt,
    money: [],
    events: isNews ? ['recipient.pending'] : [],
  };
}

/** No answer, or one that says nothing. Silence for long enough makes it stuck; it is asked on all the same. */
function hearNothing(hearing: Hearing): Heard {
  const { recipient, now, policy } = hearing;
  const { code, asks } = hearing.attempt;
  const attempt = {
    ...hearing.attempt,
    asks: asks + 1,
    code: saysItHasOrder(hearing.answer) ? HAS_ORDER : code,
  };
  const nextAttemptAt = nextAskAt(attempt, now, policy);
  const isLost = recipient.state === 'pending' && isSilent(attempt, now, policy);
  const after = isLost
    ? { ...moved(recipient, 'lose_touch'), stateReasonDetails: waitReasonOf(TIMED_OUT).details }
    : recipient;
  return { recipient: { ...after, nextAttemptAt }, attempt, money: [], events: [] };
}

/** The published code for a provider that gave no answer in time. */
const TIMED_OUT = '12';
