/**
 * The body of a webhook: `{webhook, event, object}`, built from the stored event, the same bytes at each attempt. The
 * descriptors of payout fields are put back where a read shows them (docs/adr). Spec: Webhook envelope.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { StoredEvent } from './delivery.ts';
import { readDescriptors } from './descriptors.ts';

/** By hash. What a hash stands for never changes, so that nothing here can be out of date. */
const known = new Map<string, unknown>();
const MAX_KNOWN = 1_000;

export type Descriptors = ReadonlyMap<string, unknown>;

export async function descriptorsFor(tx: Tx, events: Iterable<StoredEvent>): Promise<Descriptors> {
  const wanted = new Set([...events].flatMap((event) => event.descriptors));
  if ([...wanted].some((hash) => !known.has(hash))) {
    const read = await readDescriptors(tx, [...wanted]);
    if (known.size + read.size > MAX_KNOWN) known.clear();
    for (const [hash, fields] of read) known.set(hash, fields);
  }
  return new Map([...wanted].filter((hash) => known.has(hash)).map((hash) => [hash, known.get(hash)]));
}

export function envelopeOf(webhookId: string, event: StoredEvent, descriptors: Descriptors): string {
  const object: unknown = JSON.parse(event.object);
  for (const [place, method] of payoutMethodsOf(event.objectType, object).entries()) {
    const hash = event.descriptors[place] ?? '';
    assert(descriptors.has(hash), 'the descriptor of an event is stored');
    Reflect.set(method, 'fields', descriptors.get(hash));
  }
  return JSON.stringify({ webhook: webhookId, event: event.event, object });
}

/** In the order of the recipients: of a transaction all of them, of a recipient its own. */
function payoutMethodsOf(objectType: string, object: unknown): object[] {
  if (objectType === 'recipient') return methodIn(object);
  const recipients: unknown = objectType === 'transaction' ? Reflect.get(Object(object), 'recipients') : [];
  return Array.isArray(recipients) ? recipients.flatMap(methodIn) : [];
}

function methodIn(recipient: unknown): object[] {
  const method: unknown = Reflect.get(Object(recipient), 'payout_method');
  return typeof method === 'object' && method !== null ? [method] : [];
}
