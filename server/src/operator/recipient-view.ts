/** Recipients and their attempts as operators see them. What stands in the audit log holds no details of people. */
import { type Attempt, referenceOf } from '../recipients/attempt.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { type AttentionItem, type AttentionRow, isPutOff, PUT_OFF } from '../transactions/attention.ts';
import { isCallUnderWay } from '../transactions/call-under-way.ts';
import type { Contradiction } from '../transactions/contradictions.ts';
import type { AtDesk } from '../transactions/recipient-desk.ts';
import type { SeenRecipient } from '../transactions/show-recipient.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { suspenseView } from './payin-view.ts';
import { timeView } from './time-view.ts';
import type { WaitView } from './wait-view.ts';

/** For the audit log: what an action can change. */
export function stateView({ recipient, transaction }: AtDesk) {
  return {
    state: recipient.state,
    transaction_state: transaction.state,
    code: recipient.stateReasonDetails?.code ?? null,
    attempts: recipient.attemptCount,
    next_attempt_at: timeView(recipient.nextAttemptAt),
    cancel_requested_at: timeView(recipient.cancelRequestedAt),
  };
}

export function recipientView({ recipient, transaction, part }: SeenRecipient, waitsFor: WaitView, now: Date) {
  return {
    id: recipient.recipientId,
    account_id: recipient.accountId,
    transaction_id: recipient.transactionId,
    transaction_external_id: transaction.externalId,
    transaction_state: transaction.state,
    state: recipient.state,
    reason: reasonOf(recipient),
    code: recipient.stateReasonDetails?.code ?? null,
    /** Null: it is at its end. */
    waits_for: waitsFor,
    /** Where its part of the money is, by the books. */
    part,
    ...amountsView(recipient),
    payout_type: recipient.payoutType,
    details: recipient.payoutDetails,
    metadata: recipient.metadata,
    provider: recipient.provider,
    attempts: recipient.attemptCount,
    errors: recipient.errorCount,
    next_attempt_at: timeView(recipient.nextAttemptAt),
    cancel_requested_at: timeView(recipient.cancelRequestedAt),
    call_under_way: isCallUnderWay(recipient, now),
    created_at: recipient.createdAt.toISOString(),
    funded_at: timeView(transaction.fundedAt),
  };
}

export function attemptView(attempt: Attempt, { outputCurrency }: Recipient) {
  return {
    number: attempt.number,
    provider: attempt.provider,
    reference: referenceOf(attempt),
    started_at: attempt.startedAt.toISOString(),
    heard_at: timeView(attempt.heardAt),
    asks: attempt.asks,
    outcome: attempt.outcome,
    code: attempt.code,
    paid_amount: attempt.paidAmount === null ? null : formatLedgerAmount(outputCurrency, attempt.paidAmount),
    decided_by: attempt.decidedBy,
    evidence: attempt.evidence,
    ended_at: timeView(attempt.endedAt),
  };
}

/** What was known of an attempt, and what its provider said of it afterwards. */
export function contradictionView({ auditId, known, heard }: Contradiction) {
  return { audit_id: auditId, known, heard };
}

export function attentionView(item: AttentionItem, now: Date) {
  const about = 'row' in item ? rowView(item.row) : suspenseView(item.receipt);
  const { state, ...rest } = about;
  const ageMs = now.getTime() - item.since.getTime();
  return {
    state,
    since: item.since.toISOString(),
    age_seconds: Math.max(0, Math.floor(ageMs / MS_PER_SECOND)),
    ...rest,
  };
}

function rowView(row: AttentionRow) {
  const { recipient } = row;
  return {
    state: recipient?.state ?? (isPutOff(row) ? PUT_OFF : row.transactionState),
    account_id: row.accountId,
    account_name: row.accountName,
    transaction_id: row.transactionId,
    transaction_external_id: row.externalId,
    transaction_state: row.transactionState,
    recipient_id: recipient?.recipientId ?? null,
    payin_id: null,
    reason: recipient === null ? wholeReason(row) : recipient.reason,
    code: recipient?.code ?? null,
    input_amount: formatLedgerAmount(row.inputCurrency, recipient?.inputAmount ?? row.inputAmount),
    input_currency: row.inputCurrency,
    output_amount: recipient === null ? null : formatLedgerAmount(recipient.outputCurrency, recipient.outputAmount),
    output_currency: recipient?.outputCurrency ?? null,
    payout_type: recipient?.payoutType ?? null,
    provider: recipient?.provider ?? null,
    attempts: recipient?.attempts ?? null,
    errors: recipient?.errors ?? null,
    last_attempt_at: timeView(recipient?.lastAttemptAt),
    heard_at: timeView(recipient?.heardAt),
    cancel_requested_at: timeView(recipient?.cancelRequestedAt),
  };
}

const MS_PER_SECOND = 1_000;
const PUT_OFF_REASON = 'The work on it broke and is tried again every few minutes; the log says why.';

const UNCONFIRMED_REASON = 'The payer has paid, and the provider has not confirmed it for long: ask it by another way.';

function wholeReason(row: AttentionRow): string | null {
  if (isPutOff(row)) return PUT_OFF_REASON;
  if (row.isUnconfirmed) return UNCONFIRMED_REASON;
  if (row.transactionState === 'processing') return row.heldFor;
  return row.transactionState === 'exception' ? row.stateReason : mispaidReason(row);
}

function mispaidReason({ paidAmount, inputAmount, inputCurrency }: AttentionRow): string {
  const shown = (minor: bigint) => formatLedgerAmount(inputCurrency, minor);
  return `${shown(paidAmount)} ${inputCurrency} were paid in, ${shown(inputAmount)} are paid out`;
}

/** A payout that waits has no text of its own, only the details of its code. */
function reasonOf({ stateReason, stateReasonDetails }: Recipient): string | null {
  return stateReason ?? stateReasonDetails?.description ?? null;
}

function amountsView(recipient: Recipient) {
  return {
    input_amount: formatLedgerAmount(recipient.inputCurrency, recipient.inputAmount),
    input_currency: recipient.inputCurrency,
    output_amount: formatLedgerAmount(recipient.outputCurrency, recipient.outputAmount),
    output_currency: recipient.outputCurrency,
  };
}
