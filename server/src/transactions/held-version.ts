/**
 * Which version of a transaction's payouts somebody looked at: a short text that changes with every edit of where the
 * money goes. Who releases a hold may name it, so that nothing is released that was edited after the look.
 * Open point OP-205.
 */
import { createHash } from 'node:crypto';
import type { WholeTransaction } from './transaction.ts';

/** Of hexadecimal digits; more than enough, and short enough to be copied. */
export const VERSION_CHARS = 32;

export function versionOf({ recipients }: Pick<WholeTransaction, 'recipients'>): string {
  const shown = recipients.map(({ recipientId, type, payoutType, payoutDetails }) => [
    recipientId,
    type,
    payoutType,
    payoutDetails,
  ]);
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, VERSION_CHARS);
}
