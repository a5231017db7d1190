/**
 * A sender as the API and webhooks show it. Spec: Sender; the further fields are published. Open point OP-5. The
 * details are stored in the order of senders/fields.ts and shown in it; those that were never sent are left out.
 */
import { viewDocument } from '../documents/view.ts';
import type { Sender } from './sender.ts';

export function viewSender(sender: Sender) {
  return {
    id: sender.senderId,
    type: sender.type,
    state: sender.state,
    state_reason: sender.stateReason,
    ...sender.details,
    external_id: sender.externalId,
    documents: sender.documents.map(viewDocument),
    metadata: sender.metadata,
    // No provider is assigned to a sender. Open point OP-4.
    providers: {},
    created_at: sender.createdAt.toISOString(),
  };
}
