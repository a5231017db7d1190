/** Corridors: list, show, switch. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { OPERATOR_REFUSALS } from '../../accounts/operator-refusals.ts';
import type { Direction } from '../../corridors/switch.ts';
import { commandOf } from '../authenticate.ts';
import { viewCorridor } from '../corridor-view.ts';
import { listCorridors, setSwitch } from '../corridors.ts';
import { sendOutcome, sendProblem } from '../problem.ts';
import { CorridorParams, CorridorQuery, SwitchBody } from '../schemas.ts';
import type { OperatorServerOptions } from '../server-options.ts';

type CorridorOptions = Pick<OperatorServerOptions, 'ctx' | 'health' | 'payinProviders'>;

export function corridorRoutes(app: FastifyInstance, { ctx, health, payinProviders }: CorridorOptions): void {
  const providers = (direction: Direction) =>
    direction === 'payout'
      ? health.standings().map(({ provider }) => provider)
      : payinProviders.all().map(({ name }) => name);

  app.get('/operator/corridors', async () => ({ corridors: await listCorridors(ctx) }));

  app.get<{ Params: Type.Static<typeof CorridorParams>; Querystring: Type.Static<typeof CorridorQuery> }>(
    '/operator/corridors/:type',
    { schema: { params: CorridorParams, querystring: CorridorQuery } },
    async ({ params, query }, reply) => {
      const { catalogue, amountBounds: bounds } = ctx;
      const corridor = viewCorridor({ catalogue, bounds }, params.type, query.direction ?? 'payout');
      if (corridor) return { corridor };
      const details = [OPERATOR_REFUSALS.corridor_unknown];
      return sendProblem(reply, { status: 404, error: 'corridor_unknown', details });
    },
  );

  app.put<{ Params: Type.Static<typeof CorridorParams>; Body: Type.Static<typeof SwitchBody> }>(
    '/operator/corridors/:type',
    { schema: { params: CorridorParams, body: SwitchBody } },
    async (request, reply) => {
      const { active, provider, direction = 'payout' } = request.body;
      const input = { type: request.params.type, direction, provider, active, providers: providers(direction) };
      return sendOutcome(reply, await setSwitch(ctx, commandOf(ctx, request), input), (corridor) => ({ corridor }));
    },
  );
}
