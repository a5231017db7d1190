/**
 * POST /providers/{name}/callbacks and /payin_callbacks: what providers tell by themselves. Ours, not under /v1. A
 * callback carries no key of the API: the provider's own adapter proves who sent it. It is answered with 200 only when
 * all of it is recorded; told twice or out of order it changes nothing. Open points OP-163 and OP-172.
 */
import { Type } from 'typebox';
import type { Context } from '../../context.ts';
import type { PayinNews, PayinProvider } from '../../providers/payin-provider.ts';
import type { CallbackNews, CallbackRequest, PayoutProvider } from '../../providers/payout-provider.ts';
import { commandsOfPayinNews } from '../../transactions/payin-news.ts';
import type { AnswerCommand, AnswerResult } from '../../transactions/record-answers.ts';
import { commandsOfNews } from '../../transactions/record-news.ts';
import type { PayinCommand, PayinResult } from '../../transactions/record-payins.ts';
import { serializerCompiler, validatorCompiler } from '../plain-routes.ts';
import { sendProblem } from '../problem.ts';
import type { Routes } from '../server.ts';

export interface CallbackOperations {
  /** Undefined: no such provider is set up. */
  provider(name: string): PayoutProvider | undefined;
  /** Behind its batch runner. */
  record(command: AnswerCommand): Promise<AnswerResult>;
  payinProvider(name: string): PayinProvider | undefined;
  recordPayin(command: PayinCommand): Promise<PayinResult>;
}

const MAX_CALLBACK_BYTES = 256 * 1024;
/** More orders than that in one callback are no callback any more. */
const MAX_NEWS = 1_000;

const CallbackParams = Type.Object({ name: Type.String({ description: 'The name of the provider.' }) });
const CallbackBody = Type.Unknown({ description: 'As the provider sends it: its adapter reads the bytes.' });
const CallbackAnswer = Type.Object({
  recorded: Type.Integer({ description: 'Pieces of news that are stored, or were before.' }),
  ignored: Type.Integer({
    description: 'Those about references that are not known, those that say nothing that is, and those not believed.',
  }),
});

type News = CallbackNews | PayinNews;

/** One kind of news: whose adapter reads it, and how it is recorded. */
interface Source<Told extends News> {
  readonly path: string;
  parser(name: string): ((request: CallbackRequest) => readonly Told[] | undefined) | undefined;
  /** How many pieces of news are stored. */
  record(provider: string, news: readonly Told[]): Promise<number>;
}

type CallbackContext = Pick<Context, 'db' | 'log'>;

export function callbackRoutes(ctx: CallbackContext, operations: CallbackOperations): Routes {
  const payouts: Source<CallbackNews> = {
    path: '/providers/:name/callbacks',
    parser: (name) => {
      const provider = operations.provider(name);
      return provider?.parseCallback?.bind(provider);
    },
    record: async (provider, news) => {
      const commands = await commandsOfNews(ctx.db, provider, news);
      return recorded(await Promise.all(commands.map((command) => operations.record(command))));
    },
  };
  const payins: Source<PayinNews> = {
    path: '/providers/:name/payin_callbacks',
    parser: (name) => {
      const provider = operations.payinProvider(name);
      return provider?.parseCallback?.bind(provider);
    },
    record: async (provider, news) => {
      const commands = await commandsOfPayinNews(ctx.db, provider, news);
      return recorded(await Promise.all(commands.map((command) => operations.recordPayin(command))));
    },
  };
  return (server) => {
    addCallbacks(server, ctx, payouts);
    addCallbacks(server, ctx, payins);
  };
}

function addCallbacks<Told extends News>(
  server: Parameters<Routes>[0],
  ctx: CallbackContext,
  source: Source<Told>,
): void {
  server.post<{ Params: { name: string } }>(
    source.path,
    {
      config: { call: 'public', takesBytes: true },
      bodyLimit: MAX_CALLBACK_BYTES,
      serializerCompiler,
      validatorCompiler,
      schema: { params: CallbackParams, body: CallbackBody, response: { 200: CallbackAnswer } },
    },
    async (request, reply) => {
      const { name } = request.params;
      const parse = source.parser(name);
      if (parse === undefined) return sendProblem(reply, 'not_found');
      const { headers, rawBody } = request;
      const read = readNews(parse, { headers, rawBody: rawBody ?? Buffer.alloc(0) });
      if (!read.ok) {
        // Only the class of the fault: its message may hold parts of what was sent.
        ctx.log.warn('a callback could not be read', { provider: name, fault: read.fault });
        return sendProblem(reply, 'unreadable');
      }
      if (read.news === undefined) {
        request.unproved = { reason: 'callback_unproved', fields: { provider: name } };
        return sendProblem(reply, 'callback_unproved');
      }
      if (read.news.length > MAX_NEWS) return sendProblem(reply, 'body_too_large');
      return record(ctx, source, name, read.news);
    },
  );
}

type ReadNews<Told> =
  | { readonly ok: true; readonly news: readonly Told[] | undefined }
  | { readonly ok: false; readonly fault: string };

function readNews<Told>(
  parse: (request: CallbackRequest) => readonly Told[] | undefined,
  request: CallbackRequest,
): ReadNews<Told> {
  try {
    return { ok: true, news: parse(request) };
  } catch (fault) {
    return { ok: false, fault: fault instanceof Error ? fault.name : 'other' };
  }
}

async function record<Told extends News>(
  ctx: CallbackContext,
  source: Source<Told>,
  provider: string,
  news: readonly Told[],
): Promise<{ recorded: number; ignored: number }> {
  const stored = await source.record(provider, news);
  const ignored = news.length - stored;
  const why = doubtsIn(news);
  if (ignored > 0) ctx.log.warn('news in a callback was ignored', { provider, ignored, ...(why !== '' && { why }) });
  return { recorded: stored, ignored };
}

/**
 * Why pieces of it say nothing, each reason once. The others that are ignored have a reference that is not known, or
 * are not believed, which is told where it is found out, with its recipient.
 */
function doubtsIn(news: readonly News[]): string {
  const whys = news.flatMap(({ answer }) => (answer.kind === 'unknown' ? [answer.why] : []));
  return [...new Set(whys)].join('; ');
}

function recorded(results: readonly (AnswerResult | PayinResult)[]): number {
  return results.filter((result) => result === 'recorded').length;
}
