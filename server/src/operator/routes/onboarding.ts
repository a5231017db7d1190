/** The onboarding check: show it, and admit an account to production. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { admit, checkView, findCheck } from '../onboarding.ts';
import { sendOutcome } from '../problem.ts';
import { AccountParams, strict, text } from '../schemas.ts';

type OfAccount = { Params: Type.Static<typeof AccountParams> };

const MAX_REASON_CHARS = 1_000;
/** Without a reason every point has to be met. */
const AdmissionBody = Type.Object({ reason: Type.Optional(text(MAX_REASON_CHARS)) }, strict);

export function onboardingRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get<OfAccount>(
    '/operator/accounts/:account_id/check',
    { schema: { params: AccountParams } },
    async ({ params }, reply) =>
      sendOutcome(reply, await findCheck(ctx, params.account_id.toLowerCase()), (check) => ({
        check: checkView(check),
      })),
  );

  app.post<OfAccount & { Body: Type.Static<typeof AdmissionBody> }>(
    '/operator/accounts/:account_id/admission',
    { schema: { params: AccountParams, body: AdmissionBody } },
    async (request, reply) => {
      const accountId = request.params.account_id.toLowerCase();
      const input = { accountId, reason: request.body.reason ?? null };
      const outcome = await admit(ctx, commandOf(ctx, request), input);
      return sendOutcome(reply, outcome, (check) => ({ check: checkView(check) }));
    },
  );
}
