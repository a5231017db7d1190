/** Webhook logs on the wire. Open points OP-87 and OP-118. */
import { type Static, Type } from 'typebox';
import { CREATED_DAYS_QUERY } from '../created-days.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { headers, uuid } from './shared-forms.ts';
import { Webhook } from './webhook.ts';

export const WebhookLog = Type.Object({
  id: uuid('One for each attempt.'),
  message: Type.String({ description: 'For people: the object, the event, and what became of it.' }),
  metadata: Type.Object({
    params: Webhook,
    event: Type.String(),
    event_id: uuid('The event; the same at each attempt and at each webhook.'),
    instance_id: uuid('The object that the event is about.'),
    instance_type: Type.String({ description: 'Transaction, Recipient, Sender or PayinMethod.' }),
    attempt_id: uuid('The id once more.'),
    tries: Type.Integer({ description: 'Which attempt it was, from 1.' }),
    request: Type.Object({
      headers: headers('As they were sent: the signature, never the secret.'),
      body: Type.String(),
      url: Type.String(),
    }),
    response: Type.Object({
      status: Type.String({ description: 'Empty when there was no answer.' }),
      headers: headers('Of the answer, within bounds.'),
      body: Type.String({ description: 'The beginning of the answer.' }),
      error: Type.Union([Type.String(), Type.Null()], { description: 'Why there was no answer.' }),
    }),
    app_id: uuid('The account.'),
    api_key_id: Type.String({ description: 'The API key by which it was signed.' }),
  }),
  parent_id: uuid('The webhook.'),
  parent_type: Type.String({ description: 'Webhook.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const WebhookLogAnswer = Type.Object({ object: WebhookLog });
export const WebhookLogList = Type.Object({
  object: Type.Array(WebhookLog),
  meta: Type.Object({ pagination: Pagination }),
});

export const WebhookLogQuery = Type.Object({
  ...PAGE_QUERY,
  ...CREATED_DAYS_QUERY,
});
export type WebhookLogQuery = Static<typeof WebhookLogQuery>;
