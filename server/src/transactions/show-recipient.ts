/** A recipient as operators look at it: with its transaction, all its attempts, and where its money is. */
import { listAuditOf } from '../accounts/audit.ts';
import type { Hold } from '../holds/hold.ts';
import { readHolds } from '../holds/hold-store.ts';
import type { Tx } from '../kernel/database.ts';
import { readReleases } from '../ledger/release-store.ts';
import type { Attempt } from '../recipients/attempt.ts';
import { readAttemptsOf } from '../recipients/attempt-store.ts';
import { findRecipientOwner, type OwnedRecipient } from '../recipients/owner-store.ts';
import { suspendedOf, wasPutOff } from './attention.ts';
import { type Contradiction, contradictionsOf } from './contradictions.ts';
import { type Part, partOf } from './decide-order.ts';
import { readWholeTransactions } from './load.ts';
import type { AtDesk } from './recipient-desk.ts';

/** What is shown of a recipient, and what tells for what it waits (waits-for.ts). */
export interface SeenRecipient extends AtDesk {
  /** The last one. */
  readonly attempt: Attempt | undefined;
  readonly part: Part;
  /** All that ever held the transaction. */
  readonly holds: readonly Hold[];
  readonly isPutOff: boolean;
  readonly hasSuspense: boolean;
}

export interface ShownRecipient extends SeenRecipient {
  readonly attempts: readonly Attempt[];
  /** The oldest first. */
  readonly contradictions: readonly Contradiction[];
}

/** Whose recipient it is, by its id alone. */
export function ownerOf(tx: Tx, recipientId: string): Promise<OwnedRecipient | undefined> {
  return findRecipientOwner(tx, recipientId);
}

export async function showRecipient(tx: Tx, recipientId: string): Promise<ShownRecipient | undefined> {
  const owner = await findRecipientOwner(tx, recipientId);
  if (owner === undefined) return undefined;
  const transaction = (await readWholeTransactions(tx, [owner])).get(owner.transactionId);
  const recipient = transaction?.recipients.find((each) => each.recipientId === owner.recipientId);
  if (transaction === undefined || recipient === undefined) return undefined;
  const [attempts, releases, holds, isPutOff, suspended, audit] = await Promise.all([
    readAttemptsOf(tx, owner),
    readReleases(tx, [owner]),
    readHolds(tx, [owner]),
    wasPutOff(tx, owner),
    suspendedOf(tx, transaction),
    listAuditOf(tx, { subjects: [owner.recipientId], since: recipient.createdAt }),
  ]);
  const attempt = attempts.find(({ attemptId }) => attemptId === recipient.attemptId);
  const part = partOf(transaction, releases.get(recipient.recipientId));
  const hasSuspense = suspended.length > 0;
  const contradictions = contradictionsOf(audit);
  return { transaction, recipient, attempt, attempts, part, holds, isPutOff, hasSuspense, contradictions };
}
