/**
 * Compliance holds: their rules, and the transactions that they keep under review. The list of those is `attention`.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type Type from 'typebox';
import type { HeldTransaction, HoldOrder } from '../../transactions/hold-orders.ts';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { addHoldRule, listHoldRules, removeHoldRule } from '../hold-rules.ts';
import { DecisionBody, HeldParams, NewRuleBody, ReleaseBody, RuleParams, RulesQuery } from '../hold-schemas.ts';
import { heldView } from '../hold-view.ts';
import { decideHeld, findHeld } from '../holds.ts';
import { listFor } from '../of-account.ts';
import { shownHoldView } from '../payer-view.ts';
import { sendOutcome } from '../problem.ts';

type OfHeld = { Params: Type.Static<typeof HeldParams> };

export function holdRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<{ Querystring: Type.Static<typeof RulesQuery> }>(
    '/operator/hold-rules',
    { schema: { querystring: RulesQuery } },
    async ({ query }, reply) => {
      const outcome = await listFor(ctx, query.account_id, (accountId) => listHoldRules(ctx, accountId));
      return sendOutcome(reply, outcome, (rules) => ({ rules }));
    },
  );

  app.post<{ Body: Type.Static<typeof NewRuleBody> }>(
    '/operator/hold-rules',
    { schema: { body: NewRuleBody } },
    async (request, reply) => {
      const { account_id: accountId, payout_type: payoutType = null, ...criterion } = request.body;
      const outcome = await addHoldRule(ctx, commandOf(ctx, request), { accountId, payoutType, ...criterion });
      return sendOutcome(reply, outcome, (rule) => ({ rule }), 201);
    },
  );

  app.delete<{ Params: Type.Static<typeof RuleParams> }>(
    '/operator/hold-rules/:rule_id',
    { schema: { params: RuleParams } },
    async (request, reply) => {
      const ruleId = request.params.rule_id.toLowerCase();
      return sendOutcome(reply, await removeHoldRule(ctx, commandOf(ctx, request), ruleId), (rule) => ({ rule }));
    },
  );

  const shown = (held: HeldTransaction) => ({ hold: heldView(ctx, held) });
  const decide = async (request: FastifyRequest<OfHeld>, reply: FastifyReply, order: Omit<HoldOrder, 'by'>) => {
    const transactionId = request.params.transaction_id.toLowerCase();
    const outcome = await decideHeld(ctx, commandOf(ctx, request), transactionId, order);
    return sendOutcome(reply, outcome, shown);
  };

  app.get<OfHeld>('/operator/holds/:transaction_id', { schema: { params: HeldParams } }, async ({ params }, reply) =>
    sendOutcome(reply, await findHeld(ctx, params.transaction_id.toLowerCase()), (held) => ({
      hold: shownHoldView(ctx, held),
    })),
  );

  app.post<OfHeld & { Body: Type.Static<typeof ReleaseBody> }>(
    '/operator/holds/:transaction_id/release',
    { schema: { params: HeldParams, body: ReleaseBody } },
    (request, reply) => {
      const { reason, as_of: asOf } = request.body;
      return decide(request, reply, { do: 'release', reason, asOf });
    },
  );

  app.post<OfHeld & { Body: Type.Static<typeof DecisionBody> }>(
    '/operator/holds/:transaction_id/cancel',
    { schema: { params: HeldParams, body: DecisionBody } },
    (request, reply) => decide(request, reply, { do: 'cancel', reason: request.body.reason }),
  );
}
