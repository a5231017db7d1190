/** A transaction as the API and webhooks show it. Spec: Transaction. Open points OP-10, OP-11 and OP-90. */
import type { Catalogue } from '../corridors/catalogue.ts';
import { type FieldDescriptors, NO_FIELDS } from '../corridors/descriptor.ts';
import { isoTime } from '../kernel/iso-time.ts';
import { amount } from '../money/amount.ts';
import { toJsonNumber } from '../money/format.ts';
import { viewPayinMethod } from '../payins/view.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { viewRecipient } from '../recipients/view.ts';
import { viewSender } from '../senders/view.ts';
import { payinReferenceOf, REFERENCE_NAMES } from './payin-reference.ts';
import type { WholeTransaction } from './transaction.ts';

export function viewTransaction(transaction: WholeTransaction, catalogue: Catalogue) {
  return {
    ...viewHead(transaction),
    sender: viewSender(transaction.sender),
    recipients: transaction.recipients.map((each) => viewRecipient(each, transaction, fieldsOf(each, catalogue))),
  };
}

/**
 * What creation would answer, without what only creation gives: ids and times. A sender that is not there yet has none
 * either; nor have documents that only this request brings.
 */
export function viewCalculated(
  transaction: WholeTransaction,
  { catalogue, newIds }: { catalogue: Catalogue; newIds: ReadonlySet<string> },
) {
  const {
    id: _,
    created_at: __,
    expires_at: ___,
    payin_reference: ____,
    ...rest
  } = viewTransaction(transaction, catalogue);
  return {
    ...rest,
    sender: withoutNewIds(rest.sender, newIds),
    recipients: rest.recipients.map(withoutIds),
    payin_methods: rest.payin_methods.map(withoutPayinIds),
  };
}

function withoutNewIds(sender: ReturnType<typeof viewSender>, newIds: ReadonlySet<string>) {
  const documents = sender.documents.map((document) => without(document, newIds));
  return without({ ...sender, documents }, newIds);
}

function without<Shown extends { id: string; created_at?: string }>(shown: Shown, newIds: ReadonlySet<string>) {
  if (!newIds.has(shown.id)) return shown;
  const { id: _, created_at: __, ...rest } = shown;
  return rest;
}

function withoutIds({ id: _, transaction_id: __, created_at: ___, ...recipient }: ReturnType<typeof viewRecipient>) {
  const { id: ____, ...payoutMethod } = recipient.payout_method;
  return { ...recipient, payout_method: payoutMethod };
}

function withoutPayinIds({
  id: _,
  transaction_id: __,
  created_at: ___,
  ...method
}: ReturnType<typeof viewPayinMethod>) {
  const references: readonly string[] = REFERENCE_NAMES;
  const outDetails = Object.entries(method.out_details).filter(([name]) => !references.includes(name));
  return { ...method, out_details: Object.fromEntries(outDetails) };
}

export function fieldsOf(recipient: Recipient, catalogue: Catalogue): FieldDescriptors {
  return catalogue.payout(recipient.payoutType)?.fields(recipient.type) ?? NO_FIELDS;
}

/** All that a caller is told: what a review looks at is not for those who are looked at. */
const UNDER_REVIEW = 'The transaction is under review.';

/** All but sender and recipients, which text.ts writes one by one. */
export function viewHead(transaction: WholeTransaction) {
  const { inputCurrency, inputAmount, paidAmount } = transaction;
  const dueAmount = paidAmount < inputAmount ? inputAmount - paidAmount : 0n;
  return {
    id: transaction.transactionId,
    external_id: transaction.externalId,
    state: transaction.state,
    // Open point OP-203.
    state_reason: transaction.stateReason ?? (transaction.state === 'processing' ? UNDER_REVIEW : null),
    state_reason_details: transaction.stateReasonDetails,
    input_currency: inputCurrency,
    input_amount: toJsonNumber(amount(inputAmount, inputCurrency)),
    paid_amount: toJsonNumber(amount(paidAmount, inputCurrency)),
    due_amount: toJsonNumber(amount(dueAmount, inputCurrency)),
    payin_methods: transaction.payinMethods.map((method) => viewPayinMethod(method, transaction)),
    // Open point OP-22.
    ...(transaction.isCollection && { payin_reference: payinReferenceOf(transaction) }),
    metadata: transaction.metadata,
    traits: { auto_refund: transaction.autoRefund, account_validation: transaction.accountValidation },
    created_at: isoTime(transaction.createdAt),
    expires_at: isoTime(transaction.expiresAt),
  };
}
