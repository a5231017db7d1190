/** A webhook: an address to which an account wants some of its events sent. Spec: Events. Open point OP-60. */
import type { SubscribableName } from './events.ts';

export interface WebhookKey {
  readonly accountId: string;
  readonly webhookId: string;
}

/** What a caller asks for. */
export interface WebhookDraft {
  readonly url: string;
  readonly events: readonly SubscribableName[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Webhook extends WebhookKey {
  /** As registered, letter by letter: it is what is signed. */
  readonly url: string;
  readonly events: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The API key that registered it. */
  readonly key: string;
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
}

/** Open point OP-113: how many an account may have at once, disabled ones left out. */
export const MAX_ENABLED_WEBHOOKS = 20;
