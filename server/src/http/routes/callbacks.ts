/**
 * POST /providers/{name}/callbacks: what payout providers tell by themselves. Ours, and therefore not under /v1. A
 * callback carries no key of the API: the provider's own adapter proves who sent it. It is answered with 200 only when
 * all of it is recorded; told twice or out of order it changes nothing. Open point OP-163.
 */
import { Type } from 'typebox';
import type { Context } from '../../context.ts';
import type { CallbackNews, CallbackRequest, PayoutProvider } from '../../providers/payout-provider.ts';
import type { AnswerCommand, AnswerResult } from '../../transactions/record-answers.ts';
import { commandsOfNews } from '../../transactions/record-news.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import type { Routes } from '../server.ts';

export interface CallbackOperations {
  /** Undefined: no such provider is set up. */
  provider(name: string): PayoutProvider | undefined;
  /** Behind its batch runner. */
  record(command: AnswerCommand): Promise<AnswerResult>;
}

const MAX_CALLBACK_BYTES = 256 * 1024;
/** More orders than that in one callback are no callback any more. */
const MAX_NEWS = 1_000;

const CallbackParams = Type.Object({ name: Type.String({ description: 'The name of the provider.' }) });
const CallbackBody = Type.Unknown({ description: 'As the provider sends it: its adapter reads the bytes.' });
const CallbackAnswer = Type.Object({
  recorded: Type.Integer({ description: 'Pieces of news that are stored, or were before.' }),
  ignored: Type.Integer({ description: 'Those about references that are not known.' }),
});

export function callbackRoutes(ctx: Pick<Context, 'db' | 'log' | 'wake'>, operations: CallbackOperations): Routes {
  return (server) => {
    server.post<{ Params: { name: string } }>(
      '/providers/:name/callbacks',
      {
        config: { call: 'public', takesBytes: true },
        bodyLimit: MAX_CALLBACK_BYTES,
        serializerCompiler,
        validatorCompiler,
        schema: { params: CallbackParams, body: CallbackBody, response: { 200: CallbackAnswer } },
      },
      async (request, reply) => {
        const provider = operations.provider(request.params.name);
        if (provider?.parseCallback === undefined) return sendProblem(reply, 'not_found');
        const { headers, rawBody } = request;
        const read = readNews(provider, { headers, rawBody: rawBody ?? Buffer.alloc(0) });
        if (!read.ok) {
          // Only the class of the fault: its message may hold parts of what was sent.
          ctx.log.warn('a callback could not be read', { provider: provider.name, fault: read.fault });
          return sendProblem(reply, 'unreadable');
        }
        if (read.news === undefined) return sendProblem(reply, 'callback_unproved');
        if (read.news.length > MAX_NEWS) return sendProblem(reply, 'body_too_large');
        return record(ctx, operations, provider.name, read.news);
      },
    );
  };
}

type ReadNews =
  | { readonly ok: true; readonly news: readonly CallbackNews[] | undefined }
  | { readonly ok: false; readonly fault: string };

function readNews(provider: PayoutProvider, request: CallbackRequest): ReadNews {
  try {
    return { ok: true, news: provider.parseCallback?.(request) };
  } catch (fault) {
    return { ok: false, fault: fault instanceof Error ? fault.name : 'other' };
  }
}

async function record(
  ctx: Pick<Context, 'db' | 'log' | 'wake'>,
  operations: CallbackOperations,
  provider: string,
  news: readonly CallbackNews[],
): Promise<{ recorded: number; ignored: number }> {
  const commands = await commandsOfNews(ctx.db, provider, news);
  const results = await Promise.all(commands.map((command) => operations.record(command)));
  const recorded = results.filter((result) => result === 'recorded').length;
  const ignored = news.length - recorded;
  if (ignored > 0) ctx.log.warn('a callback names references that are not known', { provider, ignored });
  if (recorded > 0) {
    ctx.wake.wake('transactions');
    ctx.wake.wake('deliveries');
  }
  return { recorded, ignored };
}
