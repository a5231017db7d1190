/**
 * A recipient as the API and webhooks show it. Spec: Recipient, Payout method. The further fields are published
 * (open point OP-12); the external id of the transaction is sent under both published names (open point OP-13).
 */
import type { FieldDescriptors } from '../corridors/descriptor.ts';
import { present } from '../kernel/assert.ts';
import { isoTime } from '../kernel/iso-time.ts';
import { amount } from '../money/amount.ts';
import { toJsonNumber } from '../money/format.ts';
import { parseRate, rateToJsonNumber } from '../rates/rate.ts';
import { isRetriable } from './error-codes.ts';
import { editable, keepsPayment, mayCancel } from './permissions.ts';
import type { Recipient } from './recipient.ts';

/** What a recipient shows of the transaction that it belongs to. */
export interface ParentView {
  readonly state: string;
  readonly externalId: string | null;
  readonly isCollection: boolean;
}

/** The descriptor is left out where it is kept apart, in stored events. */
export function viewRecipient(recipient: Recipient, parent: ParentView, fields?: FieldDescriptors) {
  const category = recipient.stateReasonDetails?.category;
  return {
    id: recipient.recipientId,
    type: recipient.type,
    transaction_id: recipient.transactionId,
    transaction_external_id: parent.externalId,
    external_id: parent.externalId,
    transaction_state: parent.state,
    state: recipient.state,
    state_reason: recipient.stateReason,
    state_reason_details: recipient.stateReasonDetails,
    requested_amount: toJsonNumber(amount(recipient.requestedAmount, recipient.requestedCurrency)),
    requested_currency: recipient.requestedCurrency,
    input_amount: toJsonNumber(amount(recipient.inputAmount, recipient.inputCurrency)),
    input_currency: recipient.inputCurrency,
    output_amount: toJsonNumber(amount(recipient.outputAmount, recipient.outputCurrency)),
    output_currency: recipient.outputCurrency,
    input_usd_amount: recipient.inputUsdAmount === null ? null : toJsonNumber(amount(recipient.inputUsdAmount, 'USD')),
    exchange_rate: shownRate(recipient.rate),
    // The margin is in the rate; no fee is taken beside it.
    fee_fractional: 0,
    editable: editable({ state: recipient.state, category }).yes,
    may_cancel: mayCancel(recipient).yes && !keepsPayment(parent),
    // Open point OP-25: the reason outlives the retries.
    retriable: recipient.state === 'error' && category !== undefined && isRetriable(category),
    metadata: recipient.metadata,
    created_at: isoTime(recipient.createdAt),
    // At the end, and the descriptor at its end: transactions/text.ts puts descriptors there as text.
    payout_method: {
      id: recipient.payoutMethodId,
      type: recipient.payoutType,
      details: recipient.payoutDetails,
      metadata: recipient.payoutMetadata,
      provider: recipient.provider,
      ...(fields && { fields }),
    },
  };
}

/** Thousands of recipients have the same rate, and to turn a fraction into a number takes longer than to look it up. */
const shownRates = new Map<string, number>();
const MAX_SHOWN_RATES = 1_000;

function shownRate(stored: string): number {
  const known = shownRates.get(stored);
  if (known !== undefined) return known;
  const shown = rateToJsonNumber(present(parseRate(stored), 'stored rate'));
  if (shownRates.size >= MAX_SHOWN_RATES) shownRates.clear();
  shownRates.set(stored, shown);
  return shown;
}
