/** The forms of the operator API's requests about webhooks. */
import Type from 'typebox';

const UUID = '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
const PAGE_SIZE = '^([1-9][0-9]?|[1-4][0-9][0-9]|500)$';
const MAX_URL_CHARS = 2_048;

const strict = { additionalProperties: false } as const;
const id = Type.String({ pattern: UUID });

export const WebhookParams = Type.Object({ account_id: id, webhook_id: id });
export const DeliveriesQuery = Type.Object(
  {
    webhook_id: Type.Optional(id),
    state: Type.Optional(Type.Enum(['waiting', 'delivered', 'dropped'])),
    before: Type.Optional(Type.String({ pattern: UUID, description: 'The `next` of the page before.' })),
    limit: Type.Optional(Type.String({ pattern: PAGE_SIZE })),
  },
  strict,
);
export const EventsQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ pattern: UUID, description: 'The last event that was heard.' })),
    wait_ms: Type.Optional(Type.String({ pattern: '^[0-9]{1,5}$' })),
    forward_to: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_URL_CHARS })),
    key: Type.Optional(Type.String({ pattern: '^[!-~]{1,100}$' })),
  },
  strict,
);
