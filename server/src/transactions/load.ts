/**
 * Loads whole transactions for a batch: locks senders, then transactions, each sorted, and reads the rest. The order is
 * the same in every operation, so that two batches wait for each other instead of deadlocking.
 */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import { groupBy } from '../kernel/group-by.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { readPayinMethodsOf } from '../payins/store.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { readRecipientsOf } from '../recipients/store.ts';
import type { Sender } from '../senders/sender.ts';
import { lockSendersForShare, readSenders } from '../senders/store.ts';
import { lockTransactions, readSendersOf, readTransactions } from './store.ts';
import type { Transaction, TransactionKey, WholeTransaction } from './transaction.ts';

/** By transaction id. A key that names nothing of that account is simply not there. */
export async function lockWholeTransactions(
  tx: Tx,
  keys: readonly TransactionKey[],
): Promise<Map<string, WholeTransaction>> {
  const wanted = distinct(keys);
  if (wanted.length === 0) return new Map();
  const ofSenders = await readSendersOf(tx, wanted);
  const [senders, transactions, recipients] = await Promise.all([
    lockSendersForShare(tx, ofSenders),
    lockTransactions(tx, wanted),
    readRecipientsOf(tx, wanted),
  ]);
  return whole({ transactions, senders, recipients, payinMethods: await readPayins(tx, transactions) });
}

/**
 * The same without a lock on the senders, who are read as they are: for everything but funding itself, before it and
 * after. Whoever changes a sender makes its funded transactions due, so that payouts not yet sent are looked at again
 * (hold-desk.ts).
 */
export function lockTransactionsAlone(tx: Tx, keys: readonly TransactionKey[]): Promise<Map<string, WholeTransaction>> {
  return readWhole(tx, keys, lockTransactions);
}

/** The same without locks, for answers. */
export function readWholeTransactions(tx: Tx, keys: readonly TransactionKey[]): Promise<Map<string, WholeTransaction>> {
  return readWhole(tx, keys, readTransactions);
}

async function readWhole(
  tx: Tx,
  keys: readonly TransactionKey[],
  readRows: typeof readTransactions,
): Promise<Map<string, WholeTransaction>> {
  const wanted = distinct(keys);
  if (wanted.length === 0) return new Map();
  const [transactions, recipients] = await Promise.all([readRows(tx, wanted), readRecipientsOf(tx, wanted)]);
  const senders = await readSenders(tx, transactions);
  return whole({ transactions, senders, recipients, payinMethods: await readPayins(tx, transactions) });
}

/** The rest of transactions whose rows the caller has locked and read. */
export async function readRestOf(tx: Tx, transactions: readonly Transaction[]): Promise<Map<string, WholeTransaction>> {
  const [recipients, senders, payinMethods] = await Promise.all([
    readRecipientsOf(tx, transactions),
    readSenders(tx, transactions),
    readPayins(tx, transactions),
  ]);
  return whole({ transactions, senders, recipients, payinMethods });
}

/** Payouts have none, and nobody looks for theirs. */
function readPayins(tx: Tx, transactions: readonly Transaction[]): Promise<PayinMethod[]> {
  return readPayinMethodsOf(
    tx,
    transactions.filter((transaction) => transaction.isCollection),
  );
}

function whole(parts: {
  transactions: readonly Transaction[];
  senders: readonly Sender[];
  recipients: readonly Recipient[];
  payinMethods: readonly PayinMethod[];
}): Map<string, WholeTransaction> {
  const senderById = new Map(parts.senders.map((sender) => [sender.senderId, sender]));
  const recipients = groupByTransaction(parts.recipients);
  const payinMethods = groupByTransaction(parts.payinMethods);
  return new Map(
    parts.transactions.map((transaction) => [
      transaction.transactionId,
      {
        sender: present(senderById.get(transaction.senderId), 'sender of a transaction'),
        recipients: present(recipients.get(transaction.transactionId), 'recipients of a transaction'),
        payinMethods: payinMethods.get(transaction.transactionId) ?? [],
        ...transaction,
      },
    ]),
  );
}

function distinct(keys: readonly TransactionKey[]): TransactionKey[] {
  return distinctBy(keys, (key) => `${key.accountId} ${key.transactionId}`);
}

function groupByTransaction<Part extends { readonly transactionId: string }>(
  parts: readonly Part[],
): Map<string, Part[]> {
  return groupBy(parts, (part) => part.transactionId);
}
