/** A webhook log: one attempt, with what was sent and what was answered. Open points OP-87 and OP-118. */
import type { StoredEvent } from './delivery.ts';
import type { Webhook } from './webhook.ts';

export interface WebhookLog {
  readonly accountId: string;
  readonly attemptId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** By which it was signed; empty when there was no good one. */
  readonly key: string;
  readonly tries: number;
  readonly deliveryState: string;
  readonly outcomeReason: string | null;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseStatus: number | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string;
  readonly createdAt: Date;
}

/** With what belongs to it: the body is not stored once more for each attempt, but built from the event again. */
export interface WholeLog extends WebhookLog {
  readonly webhook: Webhook;
  readonly event: StoredEvent;
  readonly requestBody: string;
}
