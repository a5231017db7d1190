/** The forms of the operator API's requests about webhooks. */
import Type from 'typebox';
import { formed } from './forms.ts';
import { limit, strict } from './schemas.ts';

const MAX_URL_CHARS = 2_048;

const id = formed('uuid');

export const WebhookParams = Type.Object({ account_id: id, webhook_id: id });
export const DeliveriesQuery = Type.Object(
  {
    webhook_id: Type.Optional(id),
    state: Type.Optional(Type.Enum(['waiting', 'delivered', 'dropped'])),
    before: Type.Optional(formed('nextOfDeliveries')),
    limit,
  },
  strict,
);
export const EventsQuery = Type.Object(
  {
    after: Type.Optional(formed('uuid', { description: 'The last event that was heard.' })),
    wait_ms: Type.Optional(formed('milliseconds')),
    forward_to: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_URL_CHARS })),
    key: Type.Optional(formed('visible')),
  },
  strict,
);
