/** Exchange rates: list, set. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { sendOutcome } from '../problem.ts';
import { listRates, setRate } from '../rates.ts';
import { CurrencyParams, RateBody } from '../schemas.ts';

export function rateRoutes(app: FastifyInstance, ctx: OperatorContext): void {
  app.get('/operator/rates', async () => ({ rates: await listRates(ctx) }));

  app.put<{ Params: Type.Static<typeof CurrencyParams>; Body: Type.Static<typeof RateBody> }>(
    '/operator/rates/:currency',
    { schema: { params: CurrencyParams, body: RateBody } },
    async (request, reply) => {
      const { value, force = false } = request.body;
      const input = { currency: request.params.currency, value, force };
      return sendOutcome(reply, await setRate(ctx, commandOf(ctx, request), input), (rate) => ({ rate }));
    },
  );
}
