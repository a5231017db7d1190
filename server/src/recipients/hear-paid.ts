/**
 * A provider says that a recipient has the money. Money that went out is never denied, however late the word comes and
 * whatever was said before. Spec: Recipient states. Open point OP-36.
 */
import { unreachable } from '../kernel/assert.ts';
import { ended, excepted, type Heard, type Hearing, type MoneyEffect, moved } from './effects.ts';
import { PAID_REASON } from './state-reason.ts';
import type { RecipientState } from './states.ts';

/** Also the word of an attempt that had been reported as failed. */
export function hearPaid(hearing: Hearing, paidMinor: bigint): Heard {
  const { recipient } = hearing;
  const attempt = ended(hearing, 'paid', { paidAmount: paidMinor, code: PAID_REASON.details.code });
  // A newer attempt that is still open is asked about further: it may be paid as well. Where the newer one has failed,
  // the time was that of the next attempt, which is not made any more.
  const hasFailed = recipient.state === 'error' || recipient.state === 'manual';
  const nextAttemptAt = hasFailed || recipient.attemptId === attempt.attemptId ? null : recipient.nextAttemptAt;
  const end = (move: 'confirm' | 'overpay', money: readonly MoneyEffect[]): Heard => ({
    recipient: {
      ...moved(recipient, move),
      stateReason: null,
      stateReasonDetails: PAID_REASON.details,
      nextAttemptAt,
    },
    attempt,
    money,
    events: [],
  });
  switch (recipient.state) {
    case 'pending':
    case 'stuck':
    case 'error':
    case 'manual':
      return hearFirstPaid(hearing, paidMinor, end) ?? breakOff(hearing, attempt, nextAttemptAt);
    case 'success':
      return end('overpay', [{ entry: 'overpaid_excess', minor: paidMinor }]);
    case 'overpaid':
      return {
        recipient: { ...recipient, nextAttemptAt },
        attempt,
        money: [{ entry: 'overpaid_excess', minor: paidMinor }],
        events: [],
      };
    case 'canceled':
    case 'refunded':
      return {
        recipient: { ...excepted(recipient, 'contradict', 'It was paid after it had been refunded.'), nextAttemptAt },
        attempt,
        money: [{ entry: 'paid_after_refund', minor: paidMinor }],
        events: [],
      };
    case 'initial':
    case 'exception':
      // The attempt keeps the word; operators decide what it means.
      return { recipient: { ...recipient, nextAttemptAt }, attempt, money: [], events: [] };
    default:
      return unreachable(recipient.state);
  }
}

function hearFirstPaid(
  { recipient: { outputAmount } }: Hearing,
  paidMinor: bigint,
  end: (move: 'confirm' | 'overpay', money: readonly MoneyEffect[]) => Heard,
): Heard | undefined {
  if (paidMinor < outputAmount) return undefined;
  if (paidMinor === outputAmount) return end('confirm', [{ entry: 'pay_out' }]);
  return end('overpay', [{ entry: 'pay_out' }, { entry: 'overpaid_excess', minor: paidMinor - outputAmount }]);
}

/** Less was paid than was ordered, and no rule says what that means. Its money stays held until people decide. */
function breakOff({ recipient }: Hearing, attempt: Heard['attempt'], nextAttemptAt: Date | null): Heard {
  const after = excepted(recipient, 'break', 'The provider paid less than was ordered.');
  return { recipient: { ...after, nextAttemptAt }, attempt, money: [], events: [] };
}

/**
 * A part was paid, people had the rest given back, and now the provider names more under the same reference: what came
 * on top was paid after the refund. In all other states what was posted does not follow from the first amount, or
 * people have yet to decide. Undefined: nothing new is said.
 */
export function hearMore({ recipient, attempt, now }: Hearing, paidMinor: bigint | undefined): Heard | undefined {
  const more = (paidMinor ?? 0n) - (attempt.paidAmount ?? 0n);
  if (recipient.state !== 'refunded' || paidMinor === undefined || more <= 0n) return undefined;
  return {
    recipient: excepted(recipient, 'contradict', 'More of it was paid after the rest had been refunded.'),
    attempt: { ...attempt, paidAmount: paidMinor, heardAt: now },
    money: [{ entry: 'paid_after_refund', minor: more }],
    events: [],
  };
}

/** What is over for a recipient that got money: the rest of it is refunded where that was a part. */
const KEPT: readonly RecipientState[] = ['success', 'overpaid', 'refunded'];

/** A provider takes back that it has paid. Nobody knows whom to believe: people have to find out. */
export function hearDenial({ recipient, attempt }: Hearing): Heard {
  const unchanged: Heard = { recipient, attempt, money: [], events: [] };
  if (!KEPT.includes(recipient.state)) return unchanged;
  return { ...unchanged, recipient: excepted(recipient, 'contradict', 'It was reported as failed after it was paid.') };
}
