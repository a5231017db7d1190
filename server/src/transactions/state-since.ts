/**
 * Since when a transaction is in its state, where that is known: no row says it, but events are stored in the commit of
 * the step that they tell of, holds have their times, and so have recipients that ended. Null is better than a guess.
 * Pure.
 */
import type { Hold } from '../holds/hold.ts';
import { lastEndOf } from './endings.ts';
import type { WholeTransaction } from './transaction.ts';

export interface SinceFacts {
  readonly transaction: Pick<WholeTransaction, 'state' | 'recipients' | 'payinMethods' | 'isCollection'>;
  /** All that ever held it. */
  readonly holds: readonly Hold[];
  /** The state that its last event shows it in; undefined: there was none. */
  readonly told: { readonly state: string | null; readonly at: Date } | undefined;
}

export function stateSince({ transaction, holds, told }: SinceFacts): Date | null {
  const { state, recipients } = transaction;
  if (state === 'processing') return reviewedSince(holds);
  if (told?.state === state) return mayHaveReturned(transaction, holds) ? null : told.at;
  // No event tells that the hour of a payout is over, and of others it may be deleted.
  return isEnded(transaction) ? lastEndOf(recipients) : null;
}

/** Without being paid. */
export function isEnded({ state }: Pick<WholeTransaction, 'state'>): boolean {
  return state === 'canceled' || state === 'refunded';
}

/** Into two states a transaction can come back without an event, unless nothing has happened to it yet. */
function mayHaveReturned(transaction: SinceFacts['transaction'], holds: readonly Hold[]): boolean {
  const { state, recipients, payinMethods, isCollection } = transaction;
  if (state === 'approved') return payinMethods.some(({ attemptCount }) => attemptCount > 0);
  if (state !== 'received') return false;
  const isFirst = (each: WholeTransaction['recipients'][number]) =>
    each.state === 'pending' ? each.attemptCount === 1 : each.state === 'initial';
  return isCollection || holds.length > 0 || !recipients.every(isFirst);
}

/** It was held on by one after the other: from the beginning of the first that was not ended before the next began. */
function reviewedSince(holds: readonly Hold[]): Date | null {
  const latestFirst = holds.toSorted((one, other) => other.heldAt.getTime() - one.heldAt.getTime());
  let since: Date | null = null;
  for (const { heldAt, decision } of latestFirst) {
    const isJoined: boolean = since === null || decision === null || decision.at >= since;
    if (isJoined) since = heldAt;
  }
  return since;
}
