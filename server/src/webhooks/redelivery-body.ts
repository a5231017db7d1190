/** How sending again is asked for: one event, or what was dropped of the events of a time range. Open point OP-119. */
import Type from 'typebox';
import { accepted, type Checked, refuse, refused } from '../kernel/refusal.ts';
import type { RedeliveryWish } from './redeliver.ts';

const UUID = '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$';
export const TIME = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,3})?Z$';

const strict = { additionalProperties: false } as const;
const id = (description: string) => Type.String({ pattern: UUID, description });
const time = (description: string) => Type.String({ pattern: TIME, description });

export const RedeliveryBody = Type.Union([
  Type.Object(
    {
      event_id: id('The event to send again.'),
      webhook_id: Type.Optional(id('Where to; to every webhook that asks for such events when not given.')),
    },
    strict,
  ),
  Type.Object(
    {
      from: time('Events from this moment on, whose deliveries were dropped.'),
      to: time('Events before this moment.'),
      webhook_id: Type.Optional(id('Only what was meant for this webhook.')),
      to_webhook_id: Type.Optional(id('Where to, in place of the webhook that it was meant for.')),
    },
    strict,
  ),
]);
export type RedeliveryBody = Type.Static<typeof RedeliveryBody>;

/** Refuses a time that does not exist, and a range that ends before it begins. */
export function readRedelivery(body: RedeliveryBody): Checked<RedeliveryWish> {
  const webhookId = body.webhook_id?.toLowerCase() ?? null;
  if ('event_id' in body) return accepted({ kind: 'event', eventId: body.event_id.toLowerCase(), webhookId });
  const [from, to] = [new Date(body.from), new Date(body.to)];
  if (Number.isNaN(from.getTime())) return refused(refuse('invalid', 'from'));
  if (Number.isNaN(to.getTime()) || from >= to) return refused(refuse('invalid', 'to'));
  return accepted({ kind: 'dropped', from, to, webhookId, toWebhookId: body.to_webhook_id?.toLowerCase() ?? null });
}
