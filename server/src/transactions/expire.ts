/**
 * The end of a transaction that got no money within its hour, in the working copy of a batch: what payouts and
 * collections have in common. Spec: Transaction states (time).
 */
import { type Canceler, cancelerOf } from '../recipients/canceler.ts';
import { canceled } from '../recipients/effects.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export function expireUnfunded(desk: TransactionDesk, transaction: WholeTransaction): void {
  cancelUnpaid(desk, transaction, cancelerOf('expiry'));
  desk.move(transaction.transactionId, 'expire');
}

/** Its recipients get nothing any more. Those that were canceled before stay as they are. */
export function cancelUnpaid(desk: TransactionDesk, { recipients }: WholeTransaction, by: Canceler): void {
  for (const recipient of recipients) {
    if (recipient.state !== 'initial') continue;
    desk.apply(canceled(recipient, 'expire', { ...by, endedAt: desk.now }));
  }
}
