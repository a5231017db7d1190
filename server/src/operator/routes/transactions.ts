/** Transactions: show one, list those of an account. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import type { FindTakers } from '../../providers/takers.ts';
import type { OperatorContext } from '../command.ts';
import { cursorText, readCursor } from '../cursor.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, DEFAULT_PAGE } from '../schemas.ts';
import { TransactionParams, TransactionsQuery } from '../transaction-schemas.ts';
import { listedTransactionView, shownTransactionView } from '../transaction-view.ts';
import { lookThroughTransactions, lookUpTransaction } from '../transactions.ts';

type OfAccount = { Params: Type.Static<typeof AccountParams>; Querystring: Type.Static<typeof TransactionsQuery> };

export function transactionRoutes(app: FastifyInstance, ctx: OperatorContext, takers: FindTakers): void {
  app.get<{ Params: Type.Static<typeof TransactionParams> }>(
    '/operator/transactions/:transaction_id',
    { schema: { params: TransactionParams } },
    async ({ params }, reply) =>
      sendOutcome(reply, await lookUpTransaction(ctx, params.transaction_id.toLowerCase()), (shown) =>
        shownTransactionView(ctx, takers, shown),
      ),
  );

  app.get<OfAccount>(
    '/operator/accounts/:account_id/transactions',
    { schema: { params: AccountParams, querystring: TransactionsQuery } },
    async ({ params, query }, reply) => {
      const outcome = await lookThroughTransactions(ctx, {
        accountId: params.account_id,
        externalId: query.external_id ?? null,
        senderId: query.sender_id?.toLowerCase() ?? null,
        after: readCursor(query.after),
        limit: Number(query.limit ?? DEFAULT_PAGE),
      });
      return sendOutcome(reply, outcome, ({ transactions, next }) => ({
        transactions: transactions.map(listedTransactionView),
        next: cursorText(next),
      }));
    },
  );
}
