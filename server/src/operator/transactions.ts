/** Transactions as operators look them up: by their id alone, or among those of an account. */
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Cursor } from '../kernel/cursor.ts';
import { listTransactions, type TransactionsListed } from '../transactions/find.ts';
import { ownerOf } from '../transactions/show-recipient.ts';
import { type ShownTransaction, showTransaction } from '../transactions/show-transaction.ts';
import type { OperatorContext } from './command.ts';

/** Refuses with transaction_not_found. */
export function lookUpTransaction(
  ctx: Pick<OperatorContext, 'db'>,
  transactionId: string,
): Promise<Outcome<ShownTransaction>> {
  return ctx.db.inTx(async (tx) => {
    const shown = await showTransaction(tx, transactionId);
    if (shown !== undefined) return done(shown);
    // The two ids look alike, and lists show both.
    const recipient = await ownerOf(tx, transactionId);
    if (recipient === undefined) return refusedAction('transaction_not_found');
    return refusedAction(
      'transaction_not_found',
      `this is the id of a recipient (payferry recipient show); its transaction is ${recipient.transactionId}`,
    );
  });
}

/** Refuses with account_not_found. */
export function lookThroughTransactions(
  ctx: Pick<OperatorContext, 'db'>,
  wish: {
    readonly accountId: string;
    readonly externalId: string | null;
    readonly senderId: string | null;
    readonly after: Cursor | null;
    readonly limit: number;
  },
): Promise<Outcome<TransactionsListed>> {
  return ctx.db.inTx(async (tx) => {
    const account = await accountById(tx, wish.accountId);
    if (!account.ok) return account;
    return done(await listTransactions(tx, { ...wish, accountId: account.value.accountId }));
  });
}
