/**
 * Events about transactions, their recipients and their payin methods. The caller has counted the event on its object,
 * under the row lock.
 */
import type { Context } from '../context.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { viewPayinMethod } from '../payins/view.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { viewRecipient } from '../recipients/view.ts';
import { descriptorHash } from '../webhooks/descriptors.ts';
import type { EventRecord } from '../webhooks/outbox.ts';
import { type TransactionText, textWithoutFields, writeTransaction } from './text.ts';
import type { WholeTransaction } from './transaction.ts';
import { fieldsOf } from './view.ts';

type EventContext = Pick<Context, 'ids' | 'catalogue'>;

export function transactionEvent(
  ctx: EventContext,
  event: `transaction.${string}`,
  transaction: WholeTransaction,
  at: Date,
): EventRecord {
  return writtenEvent(ctx, event, writeTransaction(transaction), at);
}

/** The same, where the text of the transaction is there already. */
export function writtenEvent(
  ctx: EventContext,
  event: `transaction.${string}`,
  written: TransactionText,
  at: Date,
): EventRecord {
  const { transaction } = written;
  return {
    accountId: transaction.accountId,
    eventId: ctx.ids.next(),
    event,
    objectType: 'transaction',
    objectId: transaction.transactionId,
    sequence: transaction.eventCount,
    object: textWithoutFields(written),
    descriptors: transaction.recipients.map((recipient) => descriptorHash(fieldsOf(recipient, ctx.catalogue))),
    createdAt: at,
  };
}

/** The recipient alone; its `transaction_id` names the parent. Spec: Events (recipient). */
export function recipientEvent(
  ctx: EventContext,
  event: `recipient.${string}`,
  recipient: Recipient,
  transaction: WholeTransaction,
  at: Date,
): EventRecord {
  return {
    accountId: recipient.accountId,
    eventId: ctx.ids.next(),
    event,
    objectType: 'recipient',
    objectId: recipient.recipientId,
    sequence: recipient.eventCount,
    object: JSON.stringify(viewRecipient(recipient, transaction)),
    descriptors: [descriptorHash(fieldsOf(recipient, ctx.catalogue))],
    createdAt: at,
  };
}

/** The payin method alone, as it is at this step; it names its transaction by id and external_id. */
export function payinEvent(
  ctx: Pick<Context, 'ids'>,
  event: `payin_method.${string}`,
  method: PayinMethod,
  transaction: WholeTransaction,
  at: Date,
): EventRecord {
  return {
    accountId: method.accountId,
    eventId: ctx.ids.next(),
    event,
    objectType: 'payin_method',
    objectId: method.payinMethodId,
    sequence: method.eventCount,
    object: JSON.stringify(toldPayinMethod(method, transaction)),
    descriptors: [],
    createdAt: at,
  };
}

/** As it is read, but that webhooks repeat the flow among the details. Published: open point OP-18. */
function toldPayinMethod(method: PayinMethod, transaction: WholeTransaction) {
  const shown = viewPayinMethod(method, transaction);
  return { ...shown, in_details: { ...shown.in_details, ux_flow: shown.ux_flow } };
}
