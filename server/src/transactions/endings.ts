/**
 * What ended the recipients of a transaction that are canceled or refunded, as their rows say. Those that ended before
 * this was kept are unknown. Pure. Open point OP-230.
 */
import type { AuditRow } from '../accounts/audit.ts';
import type { CanceledBy } from '../recipients/canceler.ts';
import type { Recipient } from '../recipients/recipient.ts';

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

/** Those that ended, in their order, with the lines of the audit log that they name. */
export function endingsOf(recipients: readonly Recipient[], audit: ReadonlyMap<string, AuditRow>): Ending[] {
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

/** When the last of the recipients ended; null where one did not, or before this was kept. */
export function lastEndOf(recipients: readonly Recipient[]): Date | null {
  const times = recipients.map(({ endedAt }) => endedAt?.getTime() ?? Number.NaN);
  const last = Math.max(...times);
  return Number.isNaN(last) ? null : new Date(last);
}

function hasEnded({ state, endedAt: at }: Recipient): boolean {
  return at !== null || state === 'canceled' || state === 'refunded';
}
