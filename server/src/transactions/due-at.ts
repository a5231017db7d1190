/**
 * When a transaction has work next, whatever that is: it expires, its payer is prompted or asked about, its payouts
 * start or go on, or it is refunded by itself. The one time by which workers find it. Spec: Transaction states (time,
 * automatic cancellation).
 */

import { dueOfPayin } from '../payins/plan.ts';
import type { PayoutPolicy } from '../recipients/pace.ts';
import { dueOf } from '../recipients/plan.ts';
import type { RecipientState } from '../recipients/states.ts';
import { awaitsLists } from '../senders/when-checked.ts';
import { GROUPS, type TransactionState } from './states.ts';
import type { WholeTransaction } from './transaction.ts';

const OPEN: readonly RecipientState[] = ['initial', 'pending', 'error', 'manual', 'stuck'];
const SENT: readonly RecipientState[] = ['pending', 'stuck'];
const PAID: readonly RecipientState[] = ['success', 'overpaid'];
const STARTING: readonly TransactionState[] = ['received', 'mispaid', 'manual'];
const FUNDED: readonly TransactionState[] = GROUPS.funded;

export function isOpen(recipient: { readonly state: RecipientState }): boolean {
  return OPEN.includes(recipient.state);
}

/** With a provider, which alone can say what became of it. */
export function isSent(recipient: { readonly state: RecipientState }): boolean {
  return SENT.includes(recipient.state);
}

/** Funded, and neither under review nor broken. */
export function isStarting({ state }: Pick<WholeTransaction, 'state'>): boolean {
  return STARTING.includes(state);
}

/** The same, and new attempts may be made now. The check of a sender wakes what waits for it. */
export function mayStart(transaction: WholeTransaction): boolean {
  return isStarting(transaction) && !awaitsLists(transaction.sender);
}

/**
 * When it is refunded by itself; null: not at all. One paid recipient among several ends this: the others then wait for
 * the caller or an operator. Recipients whose refund is already under way do not count.
 */
export function autoRefundAt(transaction: WholeTransaction, policy: PayoutPolicy): Date | null {
  const { fundedAt, recipients, state } = transaction;
  if (fundedAt === null || !transaction.autoRefund || !FUNDED.includes(state)) return null;
  // A collection did not come from the balance, and nothing returns there. Open point OP-169.
  if (transaction.isCollection) return null;
  if (recipients.some((recipient) => PAID.includes(recipient.state))) return null;
  if (!recipients.some((recipient) => isOpen(recipient) && recipient.cancelRequestedAt === null)) return null;
  return new Date(fundedAt.getTime() + policy.autoRefundAfterMs);
}

/**
 * Its time to be refunded has come, and what is with a provider is being settled there. Until then nothing new is
 * tried, nor given back: one success among them ends the refund of all.
 */
export function isSettling(transaction: WholeTransaction, policy: PayoutPolicy, now: Date): boolean {
  const refundAt = autoRefundAt(transaction, policy);
  if (refundAt === null || refundAt > now) return false;
  const sent = transaction.recipients.filter(isSent);
  return sent.length > 0 && sent.every((recipient) => recipient.cancelRequestedAt !== null);
}

export function dueAtOf(transaction: WholeTransaction, policy: PayoutPolicy, now: Date): Date | null {
  const { fundedAt, state, expiresAt } = transaction;
  const isWaiting = fundedAt === null && (state === 'initial' || state === 'approved');
  const settles = isSettling(transaction, policy, now);
  const funded = fundedAt === null ? undefined : { mayStart: mayStart(transaction) && !settles, fundedAt };
  const times = [
    ...(isWaiting ? [expiresAt] : []),
    ...transaction.payinMethods.map((method) => dueOfPayin(method, state)),
    ...(funded ? transaction.recipients.map((recipient) => dueOf(recipient, funded)) : []),
    settles ? null : autoRefundAt(transaction, policy),
  ].flatMap((time) => (time === null ? [] : [time.getTime()]));
  return times.length === 0 ? null : new Date(Math.min(...times));
}
