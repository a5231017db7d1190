/** A sender as the API and webhooks show it. Spec: Sender; the further fields are published. Open point OP-5. */
import type { Sender } from './sender.ts';

export function viewSender(sender: Sender) {
  return {
    id: sender.senderId,
    type: sender.type,
    state: sender.state,
    state_reason: sender.stateReason,
    ...sender.details,
    external_id: sender.externalId,
    metadata: sender.metadata,
    providers: {},
    created_at: sender.createdAt.toISOString(),
  };
}
