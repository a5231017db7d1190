/**
 * A transaction as operators look at it: with its recipients, what payers paid into it, what holds or held it, why it
 * needs people, how it ended, and what was posted for it.
 */
import { readAudit } from '../accounts/audit.ts';
import { accountById } from '../accounts/find.ts';
import type { Hold } from '../holds/hold.ts';
import { readHolds } from '../holds/hold-store.ts';
import type { Tx } from '../kernel/database.ts';
import { readReleases } from '../ledger/release-store.ts';
import { type PostedTransfer, readTransfersOf } from '../ledger/transfer-store.ts';
import { readReceiptsOf } from '../payins/decision-store.ts';
import type { StoredReceipt } from '../payins/receipt.ts';
import { readLastState } from '../webhooks/event-store.ts';
import { type AttentionItem, attentionOf, isPutOff } from './attention.ts';
import { partOf } from './decide-order.ts';
import { type Ending, endingsOf } from './endings.ts';
import { readLastAttempts } from './last-attempts.ts';
import { readWholeTransactions } from './load.ts';
import { findTransactionOwner } from './owner-store.ts';
import type { SeenRecipient } from './show-recipient.ts';
import { stateSince } from './state-since.ts';
import type { WholeTransaction } from './transaction.ts';

export interface ShownTransaction {
  readonly transaction: WholeTransaction;
  readonly accountName: string;
  /** Null: not known. */
  readonly stateSince: Date | null;
  readonly recipients: readonly SeenRecipient[];
  /** Everything that came, also what is in suspense or was decided about. */
  readonly payins: readonly StoredReceipt[];
  readonly holds: readonly Hold[];
  readonly attention: readonly AttentionItem[];
  /** Of those that are canceled or refunded. */
  readonly endings: readonly Ending[];
  readonly transfers: readonly PostedTransfer[];
}

/** Whether the id is that of a transaction, of whichever account. */
export async function isTransaction(tx: Tx, id: string): Promise<boolean> {
  return (await findTransactionOwner(tx, id)) !== undefined;
}

export async function isTransactionOf(
  tx: Tx,
  { accountId }: { readonly accountId: string },
  id: string,
): Promise<boolean> {
  return (await findTransactionOwner(tx, id))?.accountId === accountId;
}

/** By its id alone. */
export async function showTransaction(tx: Tx, transactionId: string): Promise<ShownTransaction | undefined> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return undefined;
  const transaction = (await readWholeTransactions(tx, [key])).get(key.transactionId);
  const account = await accountById(tx, key.accountId);
  if (transaction === undefined || !account.ok) return undefined;
  const { name: accountName } = account.value;
  const [attempts, releases, payins, holds, told, attention, transfers, audit] = await Promise.all([
    readLastAttempts(tx, [transaction]),
    readReleases(tx, [key]),
    transaction.isCollection ? readReceiptsOf(tx, [key]) : [],
    readHolds(tx, [key]),
    readLastState(tx, { accountId: key.accountId, objectId: key.transactionId }),
    attentionOf(tx, transaction, accountName),
    readTransfersOf(tx, [key]),
    readAudit(
      tx,
      transaction.recipients.flatMap(({ cancelAuditId }) => cancelAuditId ?? []),
    ),
  ]);
  const wasPutOff = attention.some((item) => 'row' in item && isPutOff(item.row));
  const hasSuspense = attention.some((item) => 'receipt' in item);
  const recipients = transaction.recipients.map((recipient) => ({
    transaction,
    recipient,
    attempt: attempts.find(({ attemptId }) => attemptId === recipient.attemptId),
    part: partOf(transaction, releases.get(recipient.recipientId)),
    holds,
    isPutOff: wasPutOff,
    hasSuspense,
  }));
  const since = stateSince({ transaction, holds, told });
  const endings = endingsOf(transaction.recipients, audit);
  return { transaction, accountName, stateSince: since, recipients, payins, holds, attention, endings, transfers };
}
