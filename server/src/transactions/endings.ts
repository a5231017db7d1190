/**
 * What ended the recipients of a transaction that are canceled or refunded, as their rows say. Those that ended before
 * this was kept are unknown. Pure. Open point OP-230.
 */
import type { AuditRow } from '../accounts/audit.ts';
import type { CanceledBy } from '../recipients/canceler.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';

export type EndedBy = CanceledBy | 'unknown';

export interface Ending {
  readonly recipientId: string;
  readonly state: 'canceled' | 'refunded';
  /** Null: not known. */
  readonly at: Date | null;
  readonly by: EndedBy;
  /** When it was asked for, where a provider had the order and had to be heard first. */
  readonly askedAt: Date | null;
  /** The line of the audit log, where an operator did it. */
  readonly audit: AuditRow | null;
}

type Ended = Pick<WholeTransaction, 'state' | 'recipients'>;

/** Those that ended, in their order, with the lines of the audit log that they name. */
export function endingsOf({ recipients }: Ended, audit: ReadonlyMap<string, AuditRow>): Ending[] {
  return recipients.filter(hasEnded).map((recipient) => ({
    recipientId: recipient.recipientId,
    // One that a provider has paid all the same was refunded before.
    state: recipient.state === 'canceled' ? 'canceled' : 'refunded',
    at: recipient.endedAt,
    by: recipient.canceledBy ?? 'unknown',
    askedAt: recipient.cancelRequestedAt,
    audit: audit.get(recipient.cancelAuditId ?? '') ?? null,
  }));
}

/** When a transaction ended without being paid: with the last of its recipients. Null: it did not, or nobody knows. */
export function endedAt({ state, recipients }: Ended): Date | null {
  if (state !== 'canceled' && state !== 'refunded') return null;
  const times = recipients.flatMap((recipient) => recipient.endedAt?.getTime() ?? []);
  return times.length === 0 ? null : new Date(Math.max(...times));
}

function hasEnded({ state, endedAt: at }: Recipient): boolean {
  return at !== null || state === 'canceled' || state === 'refunded';
}
