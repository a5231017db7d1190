/** Webhooks on the wire. What a request is held to is http/webhook-draft.ts. Open points OP-60, OP-61, OP-114. */
import { type Static, Type } from 'typebox';
import { MAX_WEBHOOK_URL_CHARACTERS } from '../../webhooks/address-policy.ts';
import { EVENT_NAMES, SUBSCRIBABLE_NAMES } from '../../webhooks/events.ts';
import { PAGE_QUERY, Pagination } from '../paging.ts';
import { metadata } from './shared-forms.ts';

const EventName = Type.Enum([...EVENT_NAMES]);
const SubscribableName = Type.Enum([...SUBSCRIBABLE_NAMES]);

export const NewWebhook = Type.Object(
  {
    url: Type.String({
      maxLength: MAX_WEBHOOK_URL_CHARACTERS,
      description: 'Where events are sent; https outside of the sandbox.',
    }),
    events: Type.Array(SubscribableName, {
      minItems: 1,
      description:
        'Names of the events that are wanted; the two of transactions that /v1/webhooks/events leaves out are never sent.',
    }),
    metadata: Type.Optional(metadata),
  },
  { description: 'An address, and what is to be sent there.' },
);

export const Webhook = Type.Object({
  id: Type.String({ format: 'uuid' }),
  url: Type.String({ description: 'As registered; it is what the signature covers.' }),
  events: Type.Array(SubscribableName),
  metadata,
  state: Type.Enum(['enabled', 'disabled'], { description: 'A disabled webhook stays disabled: register a new one.' }),
  state_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it was disabled.' }),
  created_at: Type.String({ format: 'date-time' }),
});

export const WebhookBody = Type.Object({ webhook: NewWebhook });
export const WebhookAnswer = Type.Object({ object: Webhook });
export const WebhookList = Type.Object({ object: Type.Array(Webhook), meta: Type.Object({ pagination: Pagination }) });
export const WebhookEventList = Type.Object({ object: Type.Array(EventName) });

export const WebhookQuery = Type.Object(PAGE_QUERY);
export type WebhookQuery = Static<typeof WebhookQuery>;

export const NoBody = Type.Object({}, { description: 'Nothing is needed.' });
export const RedeliveryAnswer = Type.Object({
  object: Type.Object({
    count: Type.Integer({ description: 'Deliveries that are on their way again.' }),
    has_more: Type.Boolean({ description: 'Whether there are more than one request takes: repeat it.' }),
  }),
});
export const WebhookTestAnswer = Type.Object({
  object: Type.Object({
    delivered: Type.Boolean(),
    says: Type.String({ description: 'For people: what came of it.' }),
    status: Type.Union([Type.Integer(), Type.Null()], { description: 'What the receiver answered.' }),
    took_ms: Type.Integer(),
  }),
});
