/** What a text names: for whoever was told an id or a reference, and not of what it is. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { findNamed } from '../../transactions/find-named.ts';
import type { OperatorContext } from '../command.ts';
import { FindQuery } from '../transaction-schemas.ts';

export function findRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Querystring: Type.Static<typeof FindQuery> }>(
    '/operator/find',
    { schema: { querystring: FindQuery } },
    async ({ query }) => {
      const { named, isAll, referenceOf } = await ctx.db.inTx((tx) => findNamed(tx, query.text));
      return {
        found: named.map(({ what, id, by, accountId, accountName, transactionId, attempt }) => ({
          what,
          id,
          by,
          account_id: accountId,
          account_name: accountName,
          transaction_id: transactionId,
          attempt,
        })),
        more: !isAll,
        reference_of: referenceOf,
      };
    },
  );
}
