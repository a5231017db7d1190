/**
 * What a caller sends to register a webhook, checked: all faults at once, in field order. The address is held to what
 * its text tells (webhooks/address-policy.ts); what its name leads to is looked at again at each send. Spec: Events
 * (2). Open points OP-60, OP-113 and OP-216.
 */
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { checkMetadata, faultOfText, isBlank, isObject } from '../kernel/storable.ts';
import type { Mode } from '../settings/setting.ts';
import { checkWebhookUrl, MAX_WEBHOOK_URL_CHARACTERS } from '../webhooks/address-policy.ts';
import { isSubscribable, SUBSCRIBABLE_NAMES } from '../webhooks/events.ts';
import type { WebhookDraft } from '../webhooks/webhook.ts';

/** Refuses with blank, invalid, too_large, not_in_list and the words about addresses. */
export function draftWebhook(input: unknown, mode: Mode): Checked<WebhookDraft> {
  if (input === undefined || input === null) return refused(refuse('blank', 'webhook'));
  if (!isObject(input)) return refused(refuse('invalid', 'webhook'));
  const { url, events, metadata } = input;
  const kept = metadata === undefined || metadata === null ? accepted({}) : checkMetadata(metadata);
  const refusals = [
    ...faultsOfUrl(url, mode),
    ...faultsOfEvents(events),
    ...(kept.ok ? [] : kept.refusals.map(({ code }) => refuse(code, 'metadata'))),
  ];
  if (refusals.length > 0 || typeof url !== 'string' || !Array.isArray(events) || !kept.ok) return refused(...refusals);
  // In the order of the table and each once: asking twice for an event does not send it twice.
  const wanted = SUBSCRIBABLE_NAMES.filter((name) => events.includes(name));
  return accepted({ url, events: wanted, metadata: kept.value });
}

function faultsOfUrl(url: unknown, mode: Mode): Refusal[] {
  if (isBlank(url)) return [refuse('blank', 'url')];
  const fault = faultOfText(url, MAX_WEBHOOK_URL_CHARACTERS);
  if (fault !== undefined || typeof url !== 'string') return [refuse(fault ?? 'invalid', 'url')];
  const address = checkWebhookUrl(url, mode);
  return address ? [refuse(address.word, 'url')] : [];
}

function faultsOfEvents(events: unknown): Refusal[] {
  if (isBlank(events)) return [refuse('blank', 'events')];
  if (!Array.isArray(events)) return [refuse('invalid', 'events')];
  if (events.length === 0) return [refuse('blank', 'events')];
  if (events.length > SUBSCRIBABLE_NAMES.length * 2) return [refuse('too_large', 'events')];
  return events.every(isSubscribable) ? [] : [refuse('not_in_list', 'events')];
}
