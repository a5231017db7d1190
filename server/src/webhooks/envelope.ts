/**
 * The body of a webhook: `{webhook, event, object}`, built from the stored event, the same bytes at each attempt. The
 * descriptors of payout fields are put back where a read shows them (docs/adr). Spec: Webhook envelope.
 */
import { randomUUID } from 'node:crypto';
import { assert } from '../kernel/assert.ts';
import type { Queryable } from '../kernel/database.ts';
import type { StoredEvent } from './delivery.ts';
import { readDescriptors } from './descriptors.ts';

/** By hash. What a hash stands for never changes, so that nothing here can be out of date. */
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

/** Their texts, by hash. */
export type Descriptors = ReadonlyMap<string, string>;

export async function descriptorsFor(db: Queryable, events: Iterable<StoredEvent>): Promise<Descriptors> {
  const wanted = new Set([...events].flatMap((event) => event.descriptors));
  if ([...wanted].some((hash) => !known.has(hash))) {
    const read = await readDescriptors(db, [...wanted]);
    if (known.size + read.size > MAX_KNOWN) known.clear();
    for (const [hash, fields] of read) known.set(hash, fields);
  }
  // A copy: another caller may empty the store meanwhile.
  return new Map([...wanted].map((hash) => [hash, known.get(hash) ?? '']));
}

/** Stands in the place of a descriptor, many times as long, until the rest is text. Nobody outside can know it. */
const PLACE = randomUUID();
const PLACE_TEXT = JSON.stringify(PLACE);

export function envelopeOf(webhookId: string, event: StoredEvent, descriptors: Descriptors): string {
  return atTheEnd(webhookId, event, descriptors) ?? parsed(webhookId, event, descriptors);
}

/** A recipient ends with its payout method, and a transaction with its recipients. */
const END_OF: Readonly<Record<string, string>> = { recipient: '}}', transaction: '}}]}' };

/** Nearly always there is one payout method, whose place is known then: nothing is read and written anew. */
function atTheEnd(webhookId: string, event: StoredEvent, descriptors: Descriptors): string | undefined {
  const [hash, ...others] = event.descriptors;
  const end = END_OF[event.objectType];
  if (hash === undefined || others.length > 0 || end === undefined || !event.object.endsWith(end)) return undefined;
  const object = event.object.slice(0, -end.length);
  // Nothing to stand behind: an empty payout method.
  if (object.endsWith('{')) return undefined;
  const head = `{"webhook":${JSON.stringify(webhookId)},"event":${JSON.stringify(event.event)},"object":`;
  return `${head}${object},"fields":${fieldsBy(hash, descriptors)}${end}}`;
}

function parsed(webhookId: string, event: StoredEvent, descriptors: Descriptors): string {
  const object: unknown = JSON.parse(event.object);
  const methods = payoutMethodsOf(event.objectType, object);
  for (const method of methods) Reflect.set(method, 'fields', PLACE);
  const pieces = JSON.stringify({ webhook: webhookId, event: event.event, object }).split(PLACE_TEXT);
  assert(pieces.length === methods.length + 1, 'each payout method has a place for its descriptor');
  const [first = '', ...rest] = pieces;
  return rest.reduce(
    (text, piece, place) => text + fieldsBy(event.descriptors[place] ?? '', descriptors) + piece,
    first,
  );
}

function fieldsBy(hash: string, descriptors: Descriptors): string {
  const fields = descriptors.get(hash) ?? '';
  assert(fields !== '', 'the descriptor of an event is stored');
  return fields;
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
