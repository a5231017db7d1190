/**
 * A provider contradicts what was known of an attempt, and its recipient is in exception: people have to know both
 * words. The attempt has room for one of them, so that the audit log keeps both, with their times, in the commit of the
 * second. Pure. Open point OP-234.
 */
import type { AuditObject, AuditRow } from '../accounts/audit.ts';
import { SYSTEM_OPERATOR } from '../accounts/operators.ts';
import { amount } from '../money/amount.ts';
import { toDecimalString } from '../money/format.ts';
import type { PayoutAnswer } from '../providers/payout-provider.ts';
import { type Attempt, derivedId } from '../recipients/attempt.ts';
import { believed } from '../recipients/doubt.ts';
import type { Heard, Hearing } from '../recipients/effects.ts';
import type { Recipient } from '../recipients/recipient.ts';

const ACTION = 'recipient.contradicted';

/** Both words, as operators see them. */
export interface Contradiction {
  readonly auditId: string;
  readonly known: AuditObject;
  readonly heard: AuditObject;
}

/** The row to keep; undefined: what was heard contradicts nothing. Heard again it has the same id, and is kept once. */
export function contradictionIn(hearing: Hearing, heard: Heard): AuditRow | undefined {
  const { recipient, attempt, now } = hearing;
  if (attempt.outcome === null || heard.recipient.state !== 'exception') return undefined;
  const answer = believed(hearing);
  if (answer.kind !== 'paid' && answer.kind !== 'failed') return undefined;
  // That it takes no orders now says nothing about one that it has paid.
  if (isKnown(attempt, answer) || (answer.kind === 'failed' && answer.isDown === true)) return undefined;
  const about = { attempt: attempt.number, provider: attempt.provider };
  const word = wordOf(recipient, answer);
  const knownAt = attempt.endedAt?.toISOString() ?? null;
  return {
    auditId: derivedId(attempt.attemptId, JSON.stringify([attempt.outcome, knownAt, word])),
    at: now,
    operator: SYSTEM_OPERATOR,
    action: ACTION,
    subject: recipient.recipientId,
    before: {
      ...about,
      outcome: attempt.outcome,
      code: attempt.code,
      paid_amount: amountOf(recipient, attempt.paidAmount),
      by: attempt.decidedBy,
      at: knownAt,
    },
    after: { ...about, ...word, by: hearing.by, at: now.toISOString() },
  };
}

/** Paid both times is the same word unless it names another amount: what people give back depends on it. */
function isKnown(attempt: Attempt, answer: PayoutAnswer): boolean {
  if (answer.kind !== attempt.outcome) return false;
  return answer.kind !== 'paid' || (answer.paidMinor ?? attempt.paidAmount) === attempt.paidAmount;
}

export function contradictionsOf(rows: readonly AuditRow[]): Contradiction[] {
  return rows.flatMap(({ auditId, action, before, after }) =>
    action === ACTION && before !== null && after !== null ? [{ auditId, known: before, heard: after }] : [],
  );
}

function wordOf(recipient: Recipient, answer: Extract<PayoutAnswer, { kind: 'paid' | 'failed' }>) {
  if (answer.kind === 'failed') return { outcome: answer.kind, code: answer.code, paid_amount: null };
  const paid_amount = amountOf(recipient, answer.paidMinor ?? recipient.outputAmount);
  return { outcome: answer.kind, code: null, paid_amount };
}

function amountOf({ outputCurrency }: Recipient, minor: bigint | null): string | null {
  return minor === null ? null : toDecimalString(amount(minor, outputCurrency));
}
