/**
 * The outbox: an event with the object as it was at that moment, and a delivery for each webhook that wants it, stored in
 * the commit of the change that they report. What is not committed is not reported, and what is committed cannot be
 * forgotten. Spec: Events.
 */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';

export interface EventRecord {
  readonly accountId: string;
  readonly eventId: string;
  readonly event: string;
  readonly objectType: 'transaction' | 'recipient' | 'sender' | 'payin_method';
  readonly objectId: string;
  /** Place in the order of this object's events, given under its row lock. */
  readonly sequence: number;
  /** The object as JSON text, without the descriptors of its payout methods: the same few again and again. */
  readonly object: string;
  /** Which descriptors those were: one hash for each payout method, in their order. */
  readonly descriptors: readonly string[];
  readonly createdAt: Date;
}

/** JSON text never holds this character as it is, so large objects need no quoting on their way to the database. */
const SEPARATOR = '\u001e';

export async function insertEvents(tx: Tx, events: readonly EventRecord[]): Promise<void> {
  if (events.length === 0) return;
  const [inserted] = await Promise.all([insertRows(tx, events), insertDeliveries(tx, events)]);
  assert(inserted === events.length, 'every event was stored');
}

function insertRows(tx: Tx, events: readonly EventRecord[]): Promise<number> {
  return tx.execute(
    `insert into events (account_id, event_id, event, object_type, object_id, sequence, object, descriptors,
       created_at)
     select a.account_id, u.event_id, u.event, u.object_type, u.object_id, u.sequence, u.object,
       string_to_array(u.descriptors, ' '), u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::integer[],
         string_to_array($8, chr(30)), $9::text[], $10::timestamptz[])
       as u (account_id, event_id, event, object_type, object_id, sequence, object, descriptors, created_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(events),
      events.map((e) => e.accountId),
      events.map((e) => e.eventId),
      events.map((e) => e.event),
      events.map((e) => e.objectType),
      events.map((e) => e.objectId),
      events.map((e) => e.sequence),
      events.map((e) => e.object).join(SEPARATOR),
      events.map((e) => e.descriptors.join(' ')),
      events.map((e) => e.createdAt),
    ],
  );
}

/** One for each webhook that wants the event, due at once. Where an account has none this is one look into an index. */
function insertDeliveries(tx: Tx, events: readonly EventRecord[]): Promise<number> {
  return tx.execute(
    `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
       next_attempt_at, event_at)
     select w.account_id, u.event_id, w.webhook_id, u.object_id, u.sequence, 'waiting', 0, 0, u.created_at, u.created_at
     from webhooks w
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::integer[], $7::timestamptz[])
       as u (account_id, event_id, event, object_id, sequence, created_at)
       on u.account_id = w.account_id and u.event = any(w.events)
     where ${onNodeOf('w')} and w.disabled_at is null and w.deleted_at is null`,
    [
      accountIdsOf(events),
      events.map((e) => e.accountId),
      events.map((e) => e.eventId),
      events.map((e) => e.event),
      events.map((e) => e.objectId),
      events.map((e) => e.sequence),
      events.map((e) => e.createdAt),
    ],
  );
}
