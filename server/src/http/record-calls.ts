/**
 * Hands every authenticated call and its answer to the API logs, once the answer has left. Added as routes are, after
 * authentication: its hook sees the answer that is really sent. Open point OP-87.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '../accounts/calls.ts';
import type { ApiLog } from '../api-logs/api-log.ts';
import { keepAnswerBody, keepAnswerHeaders, keepRequestBody, keepRequestHeaders } from '../api-logs/mask.ts';
import { shortRefusal } from '../api-logs/short-refusal.ts';
import type { ApiLogWriter } from '../api-logs/writer.ts';
import type { Context } from '../context.ts';
import { whenClosed } from '../listeners/unanswered.ts';
import { addressHeaders, addressPolicy } from './called-address.ts';
import type { Routes } from './server.ts';
import { type AddressPolicy, calledOrigin } from './signed-urls.ts';

export function recordCalls({ settings }: Pick<Context, 'settings'>, logs: Pick<ApiLogWriter, 'add'>): Routes {
  return (server) => {
    server.decorateReply('keptBody', null);
    if (!settings.api_logs.enabled) return;
    const policy = addressPolicy(settings);
    server.addHook('onSend', (request, reply, payload, done) => {
      const { call } = request;
      if (call !== null) {
        const record = () => logs.add(apiLogOf(call, { request, reply, payload, policy }));
        // The caller may have gone while the call was under way; what was answered is kept all the same.
        whenClosed(request.raw, reply.raw, record);
      }
      done(null, payload);
    });
  };
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly payload: unknown;
  readonly policy: AddressPolicy;
}

function apiLogOf({ accountId, commandId, at }: Call, { request, reply, payload, policy }: Exchange): ApiLog {
  const { method = '', url = '', rawHeaders, headers } = request.raw;
  return {
    accountId,
    apiLogId: commandId,
    requestMethod: method,
    requestUrl: `${calledOrigin(policy, addressHeaders(headers)) ?? ''}${url}`,
    requestHeaders: keepRequestHeaders(rawHeaders),
    requestBody: keepRequestBody(request.rawBody, request.body, headers['content-type'] ?? ''),
    responseStatus: reply.statusCode,
    responseHeaders: keepAnswerHeaders(reply.getHeaders()),
    responseBody: keepAnswerBody(reply.keptBody ?? shortRefusal(reply.statusCode, payload)),
    createdAt: at,
  };
}
