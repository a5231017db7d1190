/**
 * Which answers of a provider are not believed: those that contradict themselves, that speak of another currency, and
 * those that tell what it has under a reference and not what became of the money. They are taken for unknown, and the
 * provider is asked about the order. Pure. Open points OP-137, OP-218 and OP-219.
 */
import { MAX_MINOR } from '../money/amount.ts';
import { HAS_NO_ORDER, HAS_ORDER, TAKEN_FOR_REPEAT } from '../providers/order-codes.ts';
import type { NotFound, PayoutAnswer } from '../providers/payout-provider.ts';
import { settledAt } from './attempt.ts';
import type { Hearing } from './effects.ts';
import { contradictsFailure } from './state-reason.ts';

type Failed = Extract<PayoutAnswer, { kind: 'failed' }>;

/** The answer, or unknown where it proves nothing. */
export function believed(hearing: Hearing): PayoutAnswer {
  const why = doubtAbout(hearing);
  return why === undefined ? hearing.answer : { kind: 'unknown', why };
}

/** Why the answer proves nothing; undefined: it is believed. */
export function doubtAbout(hearing: Hearing): string | undefined {
  const { answer, recipient } = hearing;
  if (answer.kind === 'paid') {
    if (!isPayment(answer.paidMinor ?? recipient.outputAmount)) return 'paid nothing, or more than there can be';
    const currency = answer.paidCurrency ?? recipient.outputCurrency;
    return currency === recipient.outputCurrency ? undefined : 'paid in another currency';
  }
  if (answer.kind !== 'failed') return undefined;
  if (contradictsFailure(answer.code)) return 'failed with a code that says otherwise';
  return provesNoFailure(hearing, answer) ? 'failed with a code that tells of its reference alone' : undefined;
}

function isPayment(paidMinor: bigint): boolean {
  return paidMinor > 0n && paidMinor <= MAX_MINOR;
}

/** People are believed whatever code they give. */
function provesNoFailure({ attempt, by, sureNow, policy }: Hearing, answer: Failed): boolean {
  if (by !== 'provider' || answer.isNotTaken === true) return false;
  if (answer.code === HAS_ORDER) return true;
  // It said that it has the order: that it does not know it any more, or takes none now, is a contradiction.
  if (attempt.outcome === null && attempt.code === HAS_ORDER && (turnsDown(answer) || isNotFound(answer))) return true;
  const settled = settledAt(attempt, policy);
  return isNotFound(answer) && settled !== null && sureNow < settled;
}

/** Turns down what was sent now, and leaves open what became of the same order when it was sent before. */
export function turnsDown(answer: PayoutAnswer): boolean {
  if (answer.kind !== 'failed' || answer.isNotTaken === true) return false;
  return answer.isDown === true || answer.code === TAKEN_FOR_REPEAT;
}

/** In whichever words, the provider has no such order. */
export function isNotFound(answer: PayoutAnswer | NotFound): boolean {
  if (answer.kind === 'failed') return answer.code === HAS_NO_ORDER && answer.isNotTaken !== true;
  return answer.kind === 'not_found';
}

/** That it has an order of this reference is worth remembering although it proves no failure. */
export function saysItHasOrder(answer: PayoutAnswer): boolean {
  return answer.kind === 'failed' && answer.code === HAS_ORDER;
}
