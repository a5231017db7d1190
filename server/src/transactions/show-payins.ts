/**
 * Payments as operators look at them one by one, with who paid: a decision about money is made by who sent it. That is
 * personal data, so that lists, logs and the audit log have nothing of it.
 */
import type { Tx } from '../kernel/database.ts';
import { readPayinAttempts } from '../payins/attempt-store.ts';
import { readReceiptsOf } from '../payins/decision-store.ts';
import { findReceipt } from '../payins/find-receipts.ts';
import { type Payer, payerOf } from '../payins/payer.ts';
import type { ListedReceipt, StoredReceipt } from '../payins/receipt.ts';
import { type HeldTransaction, showHeld } from './hold-orders.ts';
import { readWholeTransactions } from './load.ts';
import type { WholeTransaction } from './transaction.ts';

/** Null: its payin method is not known. */
export type WithPayer<Receipt extends StoredReceipt> = Receipt & { readonly payer: Payer | null };

export interface ShownHold extends HeldTransaction {
  readonly payins: readonly WithPayer<StoredReceipt>[];
}

/** By its id alone. */
export async function showPayin(tx: Tx, receiptId: string): Promise<WithPayer<ListedReceipt> | undefined> {
  const receipt = await findReceipt(tx, receiptId);
  if (receipt === undefined) return undefined;
  const transaction = (await readWholeTransactions(tx, [receipt])).get(receipt.transactionId);
  const [shown] = await withPayers(tx, transaction, [receipt]);
  return shown;
}

export async function showHold(tx: Tx, transactionId: string): Promise<ShownHold | undefined> {
  const held = await showHeld(tx, transactionId);
  if (held === undefined) return undefined;
  const { transaction } = held;
  const receipts = transaction.isCollection ? await readReceiptsOf(tx, [transaction]) : [];
  return { payins: await withPayers(tx, transaction, receipts), ...held };
}

/** Who paid is told by the prompt that a payment answers: its caller may have named somebody else since. */
async function withPayers<Receipt extends StoredReceipt>(
  tx: Tx,
  transaction: WholeTransaction | undefined,
  receipts: readonly Receipt[],
): Promise<WithPayer<Receipt>[]> {
  const prompts = await readPayinAttempts(
    tx,
    receipts.flatMap(({ accountId, attemptId }) => (attemptId === null ? [] : [{ accountId, attemptId }])),
  );
  return receipts.map((receipt) => {
    const method = transaction?.payinMethods.find(({ payinMethodId }) => payinMethodId === receipt.payinMethodId);
    const prompt = prompts.find(({ attemptId }) => attemptId === receipt.attemptId);
    return { payer: method === undefined ? null : payerOf(method, prompt), ...receipt };
  });
}
