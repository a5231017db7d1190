/**
 * A webhook as the API shows it. `state` and `state_reason` are ours: how an account sees that its address was
 * disabled, and why. Open points OP-60 and OP-114.
 */
import type { Webhook } from './webhook.ts';

export function viewWebhook(webhook: Webhook) {
  return {
    id: webhook.webhookId,
    url: webhook.url,
    events: webhook.events,
    metadata: webhook.metadata,
    state: webhook.disabledAt === null ? 'enabled' : 'disabled',
    state_reason: webhook.disabledReason,
    created_at: webhook.createdAt.toISOString(),
  };
}
