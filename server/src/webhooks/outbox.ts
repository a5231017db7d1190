/**
 * The outbox: an event with the object as it was at that moment, and a delivery for each webhook that wants it, stored
 * in the commit of the change that they report. What is not committed is not reported, and what is committed cannot be
 * forgotten. A process that also sends stores the deliveries as its own already, and sends them after the commit; all
 * others wait to be claimed. Spec: Events.
 */
import type { Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { DeliveryKey } from './delivery.ts';

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

/** Under which deliveries are stored that this process is going to send. */
export interface BirthClaim {
  readonly claimId: string;
  readonly leaseUntil: Date;
  /** Webhooks that have all they can take. */
  readonly without: readonly string[];
  /** The most that one webhook is given. */
  readonly perWebhook: number;
}

export interface StoredDelivery extends DeliveryKey {
  readonly objectId: string;
  readonly sequence: number;
  readonly url: string;
  /** The key that registered the webhook. */
  readonly key: string;
  /** Whether it is held by the claim; otherwise it is due at once. */
  readonly isTaken: boolean;
}

/** Gives the deliveries that were stored with the events. */
export async function insertEvents(
  tx: Tx,
  events: readonly EventRecord[],
  claim?: BirthClaim,
): Promise<StoredDelivery[]> {
  if (events.length === 0) return [];
  const [, deliveries] = await Promise.all([addEvents(tx, events), insertDeliveries(tx, events, claim)]);
  return deliveries;
}

const EVENTS = rowsOf<EventRecord>('events', {
  account_id: ['uuid', (e) => e.accountId],
  event_id: ['uuid', (e) => e.eventId],
  event: ['text', (e) => e.event],
  object_type: ['text', (e) => e.objectType],
  object_id: ['uuid', (e) => e.objectId],
  sequence: ['integer', (e) => e.sequence],
  object: ['text', (e) => e.object],
  descriptors: ['words', (e) => e.descriptors.join(' ')],
  created_at: ['timestamptz', (e) => e.createdAt],
});

function addEvents(tx: Tx, events: readonly EventRecord[]): Promise<void> {
  return addRows(tx, EVENTS, events);
}

const INSERT_DELIVERIES = `with wanted as (
       select w.account_id, u.event_id, w.webhook_id, u.object_id, u.sequence, u.created_at, w.url, w.key,
         row_number() over (partition by w.account_id, w.webhook_id order by u.object_id, u.sequence) <= $11::integer
           and w.timeouts_in_row = 0 and not w.webhook_id = any($10::uuid[]) and not u.object_id = any($12::uuid[])
           and before.one is null as is_taken
       from webhooks w
       join unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::integer[], $7::timestamptz[])
         as u (account_id, event_id, event, object_id, sequence, created_at)
         on u.account_id = w.account_id and u.event = any(w.events)
       left join lateral (
         select 1 as one
         from webhook_deliveries o
         where ${onNodeOf('o')} and o.account_id = w.account_id and o.webhook_id = w.webhook_id
           and o.object_id = u.object_id and o.next_attempt_at is not null
         limit 1) before on true
       where ${onNodeOf('w')} and w.disabled_at is null and w.deleted_at is null),
     stored as (
       insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
         next_attempt_at, claim_id, event_at)
       select account_id, event_id, webhook_id, object_id, sequence, 'waiting', 0, 0,
         case when is_taken then $9::timestamptz else created_at end, case when is_taken then $8::uuid end, created_at
       from wanted)
     select account_id, event_id, webhook_id, object_id, sequence, url, key, is_taken
     from wanted`;

/** Longer ones wait until they are claimed, which is done as far as there is memory for them (text-room.ts). */
export const MAX_TAKEN_CHARS = 65_536;

/**
 * One for each webhook that wants the event. It is the claim's, as long as the webhook may be given more, answers, and
 * has nothing open about the same object, which has to go first; nor is the text of any of them too long. Where an
 * account has no webhook this is one look into an index.
 */
async function insertDeliveries(
  tx: Tx,
  events: readonly EventRecord[],
  claim: BirthClaim | undefined,
): Promise<StoredDelivery[]> {
  const rows = await tx.query<StoredRow>(INSERT_DELIVERIES, [
    accountIdsOf(events),
    events.map((e) => e.accountId),
    events.map((e) => e.eventId),
    events.map((e) => e.event),
    events.map((e) => e.objectId),
    events.map((e) => e.sequence),
    events.map((e) => e.createdAt),
    claim?.claimId ?? null,
    claim?.leaseUntil ?? null,
    claim?.without ?? [],
    claim?.perWebhook ?? 0,
    events.filter(({ object }) => object.length > MAX_TAKEN_CHARS).map((e) => e.objectId),
  ]);
  return rows.map(deliveryOf);
}

interface StoredRow {
  account_id: string;
  event_id: string;
  webhook_id: string;
  object_id: string;
  sequence: number;
  url: string;
  key: string;
  is_taken: boolean;
}

function deliveryOf(row: StoredRow): StoredDelivery {
  return {
    accountId: row.account_id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    objectId: row.object_id,
    sequence: row.sequence,
    url: row.url,
    key: row.key,
    isTaken: row.is_taken,
  };
}
