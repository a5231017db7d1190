/**
 * A webhook log as the API shows it, in the published form. Ours are the wording of `message`, and `error` where there
 * was no answer; `app_id` is the account, and `api_key_id` the key that signed. Open points OP-87 and OP-118.
 */
import type { WholeLog } from './log.ts';
import { viewWebhook } from './view.ts';

export function viewLog(log: WholeLog) {
  const { event, webhook } = log;
  const instanceType = typeName(event.objectType);
  return {
    id: log.attemptId,
    message: `${instanceType}(${event.objectId}) ${event.event} ${stateWord(log.deliveryState)}!`,
    metadata: {
      params: viewWebhook(webhook),
      event: event.event,
      event_id: event.eventId,
      instance_id: event.objectId,
      instance_type: instanceType,
      attempt_id: log.attemptId,
      tries: log.tries,
      request: { headers: log.requestHeaders, body: log.requestBody, url: webhook.url },
      response: {
        // A string, as published; empty when there was no answer.
        status: log.responseStatus === null ? '' : String(log.responseStatus),
        headers: log.responseHeaders,
        body: log.responseBody,
        error: log.outcomeReason,
      },
      app_id: log.accountId,
      api_key_id: log.key,
    },
    parent_id: log.webhookId,
    parent_type: 'Webhook',
    created_at: log.createdAt.toISOString(),
  };
}

/** `payin_method` becomes `PayinMethod`, as in the published sample. */
function typeName(objectType: string): string {
  return objectType
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
}

/** `pending` is published. */
function stateWord(state: string): string {
  return state === 'waiting' ? 'pending' : state;
}
