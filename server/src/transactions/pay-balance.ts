/**
 * The payout of a collection: into the account's own balance, within our books, through the exchange where the
 * currencies differ. Nobody is called, so it cannot fail. Spec: What the service does (3), Events
 * (transaction.paid_out).
 */
import { moved } from '../recipients/effects.ts';
import { dueOf } from '../recipients/plan.ts';
import { PAID_REASON } from '../recipients/state-reason.ts';
import { mayStart } from './due-at.ts';
import { resize } from './resize.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

/** Pays what is due: at once, or at the end of the window in which more may come in. */
export function payDueBalance(desk: TransactionDesk, key: TransactionKey): void {
  const transaction = desk.current(key);
  if (isBalanceDue(transaction, desk.now)) payBalance(desk, transaction);
}

/** Paid in, nobody holds it, and nothing is waited for that would be added. */
export function isBalanceDue(transaction: WholeTransaction, now: Date): boolean {
  const { fundedAt, recipients } = transaction;
  if (fundedAt === null || !mayStart(transaction)) return false;
  return recipients.some((recipient) => {
    const due = dueOf(recipient, { mayStart: true, fundedAt });
    return recipient.state === 'initial' && due !== null && due <= now;
  });
}

export function payBalance(desk: TransactionDesk, key: TransactionKey): void {
  // From here on nothing is added up any more.
  resize(desk, key);
  const { recipients } = desk.current(key);
  for (const recipient of recipients.filter(({ state }) => state === 'initial')) {
    const paid = moved(moved(recipient, 'start'), 'confirm');
    const after = { ...paid, stateReason: null, stateReasonDetails: PAID_REASON.details, nextAttemptAt: null };
    desk.apply({ recipient: after, money: [{ entry: 'collect' }], events: [] });
  }
  desk.settle(key.transactionId);
}
