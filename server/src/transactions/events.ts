/** Events about transactions. The caller has counted the event on the transaction, under its row lock. */
import type { Context } from '../context.ts';
import { descriptorHash } from '../webhooks/descriptors.ts';
import type { EventRecord } from '../webhooks/outbox.ts';
import type { WholeTransaction } from './transaction.ts';
import { fieldsOf, viewWithoutFields } from './view.ts';

export function transactionEvent(
  ctx: Context,
  event: `transaction.${string}`,
  transaction: WholeTransaction,
  at: Date,
): EventRecord {
  return {
    accountId: transaction.accountId,
    eventId: ctx.ids.next(),
    event,
    objectType: 'transaction',
    objectId: transaction.transactionId,
    sequence: transaction.eventCount,
    object: JSON.stringify(viewWithoutFields(transaction)),
    descriptors: transaction.recipients.map((recipient) => descriptorHash(fieldsOf(recipient, ctx.catalogue))),
    createdAt: at,
  };
}
