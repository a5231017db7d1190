/** Operators: create, list, revoke. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { listOperators, makeToken } from '../../accounts/operators.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { createOperator, revokeOperatorByName } from '../operators.ts';
import { sendOutcome } from '../problem.ts';
import { NewOperatorBody, OperatorParams } from '../schemas.ts';
import { operatorView } from '../views.ts';

export function operatorRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.post<{ Body: Type.Static<typeof NewOperatorBody> }>(
    '/operator/operators',
    { schema: { body: NewOperatorBody } },
    async (request, reply) => {
      const input = { name: request.body.name, token: makeToken() };
      const outcome = await createOperator(ctx, commandOf(ctx, request), input);
      return sendOutcome(reply, outcome, ({ operator, token }) => ({ operator: operatorView(operator), token }), 201);
    },
  );

  app.get('/operator/operators', async () => {
    const operators = await ctx.db.inTx((tx) => listOperators(tx));
    return { operators: operators.map(operatorView) };
  });

  app.delete<{ Params: Type.Static<typeof OperatorParams> }>(
    '/operator/operators/:name',
    { schema: { params: OperatorParams } },
    async (request, reply) => {
      const outcome = await revokeOperatorByName(ctx, commandOf(ctx, request), request.params.name);
      return sendOutcome(reply, outcome, (operator) => ({ operator: operatorView(operator) }));
    },
  );
}
