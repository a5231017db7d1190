/** Providers: list, pause, resume. */
import type { FastifyInstance } from 'fastify';
import type Type from 'typebox';
import { commandOf } from '../authenticate.ts';
import type { OperatorContext } from '../command.ts';
import { ProviderParams } from '../payout-schemas.ts';
import { sendOutcome } from '../problem.ts';
import { listProviders, switchProvider } from '../providers.ts';
import type { OperatorServerOptions } from '../server-options.ts';

export function providerRoutes(
  app: FastifyInstance,
  ctx: OperatorContext,
  health: OperatorServerOptions['health'],
): void {
  app.get('/operator/providers', async () => ({ providers: await listProviders(ctx, health) }));

  for (const [path, isHeld] of [
    ['pause', true],
    ['resume', false],
  ] as const) {
    app.post<{ Params: Type.Static<typeof ProviderParams> }>(
      `/operator/providers/:name/${path}`,
      { schema: { params: ProviderParams } },
      async (request, reply) => {
        const input = { name: request.params.name, isHeld };
        const outcome = await switchProvider(ctx, health, commandOf(ctx, request), input);
        return sendOutcome(reply, outcome, (provider) => ({ provider }));
      },
    );
  }
}
