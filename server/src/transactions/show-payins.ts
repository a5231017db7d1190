/**
 * Payments as operators look at them one by one, with who paid: a decision about money is made by who sent it. That is
 * personal data, so that lists, logs and the audit log have nothing of it.
 */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import { readPayinAttempts, readPromptsOf } from '../payins/attempt-store.ts';
import { readReceiptsOf } from '../payins/decision-store.ts';
import { findReceipt } from '../payins/find-receipts.ts';
import { type Payer, payerOf } from '../payins/payer.ts';
import type { ListedReceipt, StoredReceipt } from '../payins/receipt.ts';
import { type HeldTransaction, showHeld } from './hold-orders.ts';
import { readWholeTransactions } from './load.ts';
import { findTransactionOwner } from './owner-store.ts';
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

export interface ShownPrompts {
  readonly transaction: WholeTransaction;
  /** In their order, each with the one who was asked to pay. */
  readonly prompts: readonly (PayinAttempt & { readonly payer: Payer })[];
}

/** What the payer of a transaction was asked for; of a payout, nothing. */
export async function showPrompts(tx: Tx, transactionId: string): Promise<ShownPrompts | undefined> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return undefined;
  const transaction = present((await readWholeTransactions(tx, [key])).get(key.transactionId), 'the transaction');
  const types = new Map(transaction.payinMethods.map(({ payinMethodId, type }) => [payinMethodId, type]));
  const prompts = await readPromptsOf(tx, { accountId: key.accountId, payinMethodIds: [...types.keys()] });
  return {
    transaction,
    prompts: prompts.map((prompt) => {
      const type = present(types.get(prompt.payinMethodId), 'payin method of a prompt');
      return { payer: payerOf({ type, inDetails: prompt.details }, prompt), ...prompt };
    }),
  };
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
