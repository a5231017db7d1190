/** Events about senders. The caller has counted the event on the sender, under its row lock. Spec: Events. */
import type { Context } from '../context.ts';
import type { EventRecord } from '../webhooks/outbox.ts';
import type { Sender } from './sender.ts';
import { viewSender } from './view.ts';

export type SenderEvent = 'sender.approved' | 'sender.rejected';

export function senderEvent({ ids }: Pick<Context, 'ids'>, event: SenderEvent, sender: Sender, at: Date): EventRecord {
  return {
    accountId: sender.accountId,
    eventId: ids.next(),
    event,
    objectType: 'sender',
    objectId: sender.senderId,
    sequence: sender.eventCount,
    object: JSON.stringify(viewSender(sender)),
    descriptors: [],
    createdAt: at,
  };
}
