/**
 * What exists in the sandbox alone: paying out and paying in on demand (published, open point OP-85), and the clock,
 * which is ours and therefore not under /v1 (open point OP-152).
 */
import { Type } from 'typebox';
import type { Context } from '../../context.ts';
import { readId } from '../../kernel/storable.ts';
import type { ForcePayinAnswer, ForcePayinCommand } from '../../transactions/force-payin.ts';
import type { ForcePayoutAnswer, ForcePayoutCommand } from '../../transactions/force-payout.ts';
import { MAX_TRAVEL_MS } from '../../transactions/travel.ts';
import { viewTransaction } from '../../transactions/view.ts';
import { takeCall } from '../authenticate.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem, sendRefused } from '../problem.ts';
import { IdParams } from '../schemas/id.ts';
import * as schemas from '../schemas/transaction.ts';
import type { Routes } from '../server.ts';
import { unwrapped } from './payin-methods.ts';

export interface SandboxOperations {
  /** Behind their batch runners. */
  payOut(command: ForcePayoutCommand): Promise<ForcePayoutAnswer>;
  payIn(command: ForcePayinCommand): Promise<ForcePayinAnswer>;
  /** Moves the clock forward past what is due, which happens on the way, and gives what is left of it. */
  travel(byMs: number): Promise<number>;
}

const MS_PER_SECOND = 1_000;

const ClockAnswer = Type.Object({
  object: Type.Object({ now: Type.String({ format: 'date-time', description: 'The time of the sandbox.' }) }),
});
const JourneyAnswer = Type.Object({
  object: Type.Object({
    ...ClockAnswer.properties.object.properties,
    remaining_seconds: Type.Number({
      description: 'What is left of the way when half of the time of a call was not enough for it: go on with that.',
    }),
  }),
});
const ClockBody = Type.Object({
  seconds: Type.Number({
    minimum: 0,
    maximum: MAX_TRAVEL_MS / MS_PER_SECOND,
    description: 'How far to go. Only forward.',
  }),
});

/** In live mode there are none. */
export function sandboxRoutes(
  ctx: Pick<Context, 'catalogue' | 'settings' | 'clock'>,
  operations: SandboxOperations,
): Routes {
  return (server) => {
    if (ctx.settings.mode !== 'sandbox') return;
    server.post<{ Params: IdParams }>(
      '/v1/transactions/:id/payout',
      {
        config: { call: 'operation' },
        serializerCompiler,
        schema: { params: IdParams, response: { 200: schemas.TransactionAnswer } },
      },
      async (request, reply) => {
        const transactionId = readId(request.params.id);
        if (transactionId === undefined) return sendProblem(reply, 'not_found');
        const answer = await operations.payOut({ call: takeCall(request), transactionId });
        if (answer.kind === 'unknown') return sendProblem(reply, 'not_found');
        if (answer.kind === 'replayed') return sendProblem(reply, 'nonce_used');
        const object = viewTransaction(answer.transaction, ctx.catalogue);
        return answer.kind === 'paid' ? { object } : sendRefused(reply, { object, refusals: answer.refusals });
      },
    );
    addPayin(server, ctx, operations);
    const now = () => ({ object: { now: ctx.clock.now().toISOString() } });
    server.get(
      '/sandbox/clock',
      { config: { call: 'read' }, serializerCompiler, schema: { response: { 200: ClockAnswer } } },
      async () => now(),
    );
    server.post<{ Body: { seconds: number } }>(
      '/sandbox/clock',
      {
        config: { call: 'read' },
        serializerCompiler,
        schema: { body: ClockBody, response: { 200: JourneyAnswer } },
      },
      async (request) => {
        const remainingMs = await operations.travel(request.body.seconds * MS_PER_SECOND);
        return { object: { ...now().object, remaining_seconds: remainingMs / MS_PER_SECOND } };
      },
    );
  };
}

const PayinBody = Type.Object({
  payin_method: Type.Optional(
    Type.Object(
      {
        type: Type.Optional(Type.String({ description: 'The type of the payin method; its own when not given.' })),
        amount: Type.Optional(
          Type.Union([Type.String(), Type.Number()], {
            description: 'What comes in; the input_amount when not given.',
          }),
        ),
      },
      { description: 'How the payer pays; as the collection asks for when not given.' },
    ),
  ),
});

/** Published with the wrapper payin_method, and sent by a client library without: both are read. */
function addPayin(
  server: Parameters<Routes>[0],
  ctx: Pick<Context, 'catalogue'>,
  operations: Pick<SandboxOperations, 'payIn'>,
): void {
  server.post<{ Params: IdParams }>(
    '/v1/transactions/:id/payin',
    {
      config: { call: 'operation' },
      serializerCompiler,
      validatorCompiler,
      schema: { params: IdParams, body: PayinBody, response: { 200: schemas.TransactionAnswer } },
    },
    async (request, reply) => {
      const transactionId = readId(request.params.id);
      if (transactionId === undefined) return sendProblem(reply, 'not_found');
      const answer = await operations.payIn({
        call: takeCall(request),
        transactionId,
        input: unwrapped(request.body),
      });
      if (answer.kind === 'unknown') return sendProblem(reply, 'not_found');
      if (answer.kind === 'replayed') return sendProblem(reply, 'nonce_used');
      const object = viewTransaction(answer.transaction, ctx.catalogue);
      return answer.kind === 'received' ? { object } : sendRefused(reply, { object, refusals: answer.refusals });
    },
  );
}
