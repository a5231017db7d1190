/** Transactions as operators look them up: by their id alone, or among those of an account. */
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { listTransactions, type TransactionCursor, type TransactionsListed } from '../transactions/find.ts';
import { type ShownTransaction, showTransaction } from '../transactions/show-transaction.ts';
import type { OperatorContext } from './command.ts';

/** Refuses with transaction_not_found. */
export async function lookUpTransaction(
  ctx: Pick<OperatorContext, 'db'>,
  transactionId: string,
): Promise<Outcome<ShownTransaction>> {
  const shown = await ctx.db.inTx((tx) => showTransaction(tx, transactionId));
  return shown ? done(shown) : refusedAction('transaction_not_found');
}

/** Refuses with account_not_found. */
export function lookThroughTransactions(
  ctx: Pick<OperatorContext, 'db'>,
  wish: {
    readonly accountId: string;
    readonly externalId: string | null;
    readonly after: TransactionCursor | null;
    readonly limit: number;
  },
): Promise<Outcome<TransactionsListed>> {
  return ctx.db.inTx(async (tx) => {
    const account = await accountById(tx, wish.accountId);
    if (!account.ok) return account;
    return done(await listTransactions(tx, { ...wish, accountId: account.value.accountId }));
  });
}
