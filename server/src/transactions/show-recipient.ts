/** A recipient as operators look at it: with its transaction, all its attempts, and where its money is. */
import type { Tx } from '../kernel/database.ts';
import { readReleases } from '../ledger/release-store.ts';
import type { Attempt } from '../recipients/attempt.ts';
import { readAttemptsOf } from '../recipients/attempt-store.ts';
import { findRecipientOwner, type OwnedRecipient } from '../recipients/owner-store.ts';
import { type Part, partOf } from './decide-order.ts';
import { readWholeTransactions } from './load.ts';
import type { AtDesk } from './recipient-desk.ts';

export interface ShownRecipient extends AtDesk {
  readonly attempts: readonly Attempt[];
  readonly part: Part;
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
  const [attempts, releases] = await Promise.all([readAttemptsOf(tx, owner), readReleases(tx, [owner])]);
  return { transaction, recipient, attempts, part: partOf(transaction, releases.get(recipient.recipientId)) };
}
