/** The desk for commands that name recipients: locks their transactions and finds each recipient at the desk. */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Recipient, RecipientKey } from '../recipients/recipient.ts';
import { findTransactionsOf } from '../recipients/store.ts';
import { readLastAttempts, readLastPrompts } from './last-attempts.ts';
import { lockTransactionsAlone } from './load.ts';
import { PayinBook } from './payin-book.ts';
import { expireOverdue } from './payin-steps.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface AtDesk {
  readonly transaction: WholeTransaction;
  readonly recipient: Recipient;
}

/** As the steps before have left it. */
export function recipientAt(desk: TransactionDesk, key: RecipientKey & TransactionKey): AtDesk {
  const transaction = desk.current(key);
  const recipient = transaction.recipients.find((each) => each.recipientId === key.recipientId);
  return { transaction, recipient: present(recipient, 'recipient at the desk') };
}

export class RecipientDesk {
  readonly desk: TransactionDesk;
  readonly #transactionOf: ReadonlyMap<string, string>;

  constructor(desk: TransactionDesk, transactionOf: ReadonlyMap<string, string>) {
    this.desk = desk;
    this.#transactionOf = transactionOf;
  }

  /** As the commands before have left it. Undefined: this account has no such recipient. */
  find({ accountId, recipientId }: RecipientKey): AtDesk | undefined {
    const transactionId = this.#transactionOf.get(recipientId);
    const transaction = transactionId === undefined ? undefined : this.desk.find({ accountId, transactionId });
    const recipient = transaction?.recipients.find((each) => each.recipientId === recipientId);
    return transaction && recipient && { transaction, recipient };
  }
}

export async function openRecipientDesk(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>,
  tx: Tx,
  keys: readonly RecipientKey[],
  by?: OperatorCommand,
): Promise<RecipientDesk> {
  // A recipient never changes its transaction, so that may be read before the lock.
  const found = await findTransactionsOf(tx, keys);
  const transactions = await lockTransactionsAlone(tx, found);
  const attempts = await readLastAttempts(tx, transactions.values());
  const payins = new PayinBook(await readLastPrompts(tx, transactions.values()));
  const now = ctx.clock.now();
  const desk = new TransactionDesk(ctx, { transactions, attempts, payins, now, by });
  // From the first moment on: nobody cancels or edits what has expired already.
  for (const transaction of transactions.values()) expireOverdue(desk, transaction);
  return new RecipientDesk(desk, new Map(found.map((each) => [each.recipientId, each.transactionId])));
}
