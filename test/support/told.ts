/** A customer whose receiver asked for every event there is, and what it was told: each request verified and parsed. */
import { expect } from 'vitest';
import { verify } from '../../server/src/receiver/webhooks.ts';
import { EVENT_NAMES } from '../../server/src/webhooks/events.ts';
import type { AccountWish, App, TestAccount } from './app.ts';
import { registeredReceiver } from './deliveries.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

export interface ToldCustomer extends TestAccount {
  readonly receiver: WebhookReceiver;
  /** The address of its webhook, as it was registered. */
  readonly url: string;
  readonly webhookId: string;
}

export interface Told {
  readonly event: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly raw: string;
}

/** To be called within a test file: the receiver is closed when that ends. */
export async function newToldCustomer(app: Pick<App, 'newAccount'>, wish: AccountWish = {}): Promise<ToldCustomer> {
  const account = await app.newAccount(wish);
  return { ...account, ...(await registeredReceiver(account, EVENT_NAMES)) };
}

/** Everything that came about the object, in its order, as a receiver reads it: first the signature, then the body. */
export function toldAbout({ receiver, url, key, secret, webhookId }: ToldCustomer, objectId: string): Told[] {
  const all = receiver.received.map(({ raw, headers }): Told => {
    expect(verify(url, raw, headers, key, secret)).toBe(true);
    const body: unknown = JSON.parse(raw);
    expect(Object.keys(Object(body))).toEqual(['webhook', 'event', 'object']);
    const { webhook, event, object } = Object(body);
    expect(webhook).toBe(webhookId);
    return { event, object, raw };
  });
  return all.filter(({ object }) => object['id'] === objectId);
}

/** The names alone, without their prefixes: `paid_in`. */
export function namesTold(customer: ToldCustomer, objectId: string): string[] {
  return toldAbout(customer, objectId).map(({ event }) => event.slice(event.indexOf('.') + 1));
}
