/** The SQL of deliveries on their way: which endpoints have work, claiming it, and giving it back. */
import type { Queryable, Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import { chainName } from './chains.ts';
import type { DeliveryKey, OpenDelivery } from './delivery.ts';

export interface DueEndpoint {
  readonly accountId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly key: string;
  readonly timeoutsInRow: number;
}

interface EndpointQuery {
  readonly now: Date;
  /** Only those behind this one in the order of account and id, so that all get their turn. */
  readonly after: { readonly accountId: string; readonly webhookId: string } | null;
  /** Those that have all they can take. */
  readonly without: readonly string[];
  readonly limit: number;
}

/**
 * One look into the index for each endpoint, however much waits for it: the order keeps the planner to that index.
 * Where most of the table is due for one of them it would read all of it for each of the others.
 */
export async function readDueEndpoints(db: Queryable, query: EndpointQuery): Promise<DueEndpoint[]> {
  const rows = await db.query<{
    account_id: string;
    webhook_id: string;
    url: string;
    key: string;
    timeouts_in_row: number;
  }>(
    `select w.account_id, w.webhook_id, w.url, w.key, w.timeouts_in_row
     from webhooks w
     cross join lateral (
       select 1 as one
       from webhook_deliveries d
       where d.account_id = w.account_id and d.webhook_id = w.webhook_id and d.next_attempt_at <= $1::timestamptz
       order by d.next_attempt_at
       limit 1) due
     where w.disabled_at is null and w.deleted_at is null
       and ($2::uuid is null or (w.account_id, w.webhook_id) > ($2::uuid, $3::uuid))
       and not w.webhook_id = any($4::uuid[])
     order by w.account_id, w.webhook_id
     limit $5::integer`,
    [query.now, query.after?.accountId ?? null, query.after?.webhookId ?? null, query.without, query.limit],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    webhookId: row.webhook_id,
    url: row.url,
    key: row.key,
    timeoutsInRow: row.timeouts_in_row,
  }));
}

interface StoredDelivery {
  account_id: string;
  event_id: string;
  webhook_id: string;
  object_id: string;
  sequence: number;
  attempts: number;
  tries: number;
  next_attempt_at: Date;
  claim_id: string | null;
}

export interface EndpointShare {
  readonly accountId: string;
  readonly webhookId: string;
  /** How many deliveries it may be given now. */
  readonly free: number;
}

const COLUMNS =
  'd.account_id, d.event_id, d.webhook_id, d.object_id, d.sequence, d.attempts, d.tries, d.next_attempt_at, d.claim_id';

/** How long the text is stands in front of it: nothing of it is read. */
const LOCK_DUE = `select ${COLUMNS}, (
       select octet_length(e.object)
       from events e
       where ${onNodeOf('e')} and e.account_id = d.account_id and e.event_id = d.event_id) as text_bytes
     from unnest($2::uuid[], $3::uuid[], $4::integer[]) as e (account_id, webhook_id, free)
     cross join lateral (
       select ${COLUMNS}
       from webhook_deliveries d
       where ${onNodeOf('d')} and d.account_id = e.account_id and d.webhook_id = e.webhook_id
         and d.next_attempt_at <= $5::timestamptz
       order by d.next_attempt_at, d.sequence
       limit e.free
       for update skip locked) d`;

/** With how long the text of its event is. */
export interface DueDelivery extends OpenDelivery {
  readonly textBytes: number;
}

/** The oldest due deliveries of each endpoint, locked; those that somebody else is claiming are passed over. */
export async function lockDueDeliveries(tx: Tx, shares: readonly EndpointShare[], now: Date): Promise<DueDelivery[]> {
  if (shares.length === 0) return [];
  const rows = await tx.query<StoredDelivery & { text_bytes: number | null }>(LOCK_DUE, [
    accountIdsOf(shares),
    shares.map((share) => share.accountId),
    shares.map((share) => share.webhookId),
    shares.map((share) => share.free),
    now,
  ]);
  return rows.map((row) => ({ textBytes: row.text_bytes ?? 0, ...deliveryOf(row) }));
}

/** Longer chains are sent part by part. */
const MAX_CHAIN = 100;

const OPEN_CHAINS = `select ${COLUMNS}
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as c (account_id, webhook_id, object_id)
     cross join lateral (
       select ${COLUMNS}
       from webhook_deliveries d
       where ${onNodeOf('d')} and d.account_id = c.account_id and d.webhook_id = c.webhook_id
         and d.object_id = c.object_id and d.next_attempt_at is not null
       order by d.sequence
       limit ${MAX_CHAIN}) d`;

/** All open deliveries of these webhooks about these objects, the first of each in their order. */
export async function readOpenChains(tx: Tx, chains: readonly OpenDelivery[]): Promise<OpenDelivery[]> {
  if (chains.length === 0) return [];
  const distinct = distinctBy(chains, chainName);
  const rows = await tx.query<StoredDelivery>(OPEN_CHAINS, [
    accountIdsOf(distinct),
    distinct.map((row) => row.accountId),
    distinct.map((row) => row.webhookId),
    distinct.map((row) => row.objectId),
  ]);
  return rows.map(deliveryOf);
}

const MARK_CLAIMED = `update webhook_deliveries d
     set claim_id = $5::uuid, next_attempt_at = $6::timestamptz
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as u (account_id, event_id, webhook_id)
     where ${onNodeOf('d')} and d.account_id = u.account_id and d.event_id = u.event_id and d.webhook_id = u.webhook_id
       and d.state = 'waiting'`;

/** The rows are locked. Until the lease ends nobody else sends them. */
export async function markClaimed(
  tx: Tx,
  claimed: readonly DeliveryKey[],
  { claimId, leaseUntil }: { readonly claimId: string; readonly leaseUntil: Date },
): Promise<void> {
  if (claimed.length === 0) return;
  await tx.execute(MARK_CLAIMED, [...keyColumns(claimed), claimId, leaseUntil]);
}

interface GivenBack extends DeliveryKey {
  readonly claimId: string | null;
  readonly dueAt: Date;
}

/** Those that are held by the claim that says so, or by none. */
const AS_HELD = `from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::timestamptz[])
       as u (account_id, event_id, webhook_id, claim_id, due_at)
     where ${onNodeOf('d')} and d.account_id = u.account_id and d.event_id = u.event_id and d.webhook_id = u.webhook_id
       and d.claim_id is not distinct from u.claim_id and d.state = 'waiting'`;

const GIVE_BACK = `update webhook_deliveries d
     set claim_id = null, next_attempt_at = u.due_at
     ${AS_HELD}`;

/** Makes deliveries due at another time. */
export async function giveBack(tx: Tx, deliveries: readonly GivenBack[]): Promise<void> {
  if (deliveries.length === 0) return;
  await Promise.all([lockDeliveries(tx, deliveries), tx.execute(GIVE_BACK, heldColumns(deliveries))]);
}

const LOCK = `select d.event_id
     from (
       select distinct k.account_id, k.event_id, k.webhook_id
       from unnest($2::uuid[], $3::uuid[], $4::uuid[]) as k (account_id, event_id, webhook_id)
       order by 1, 2, 3) k
     cross join lateral (
       select d.event_id
       from webhook_deliveries d
       where ${onNodeOf('d')} and d.account_id = k.account_id and d.event_id = k.event_id and d.webhook_id = k.webhook_id
       offset 0
       for no key update) d`;

/**
 * In the order of their keys, as other batches do. Two may have the same ones in hand: a process that slept records
 * what another one has sent again meanwhile, and both release what waited behind it.
 */
async function lockDeliveries(tx: Tx, deliveries: readonly DeliveryKey[]): Promise<void> {
  if (deliveries.length > 1) await tx.query(LOCK, keyColumns(deliveries));
}

/** By the keys of their deliveries, in the order in which these are locked. */
export function inLockOrder<Item>(items: readonly Item[], keyOf: (item: Item) => DeliveryKey): Item[] {
  const place = ({ accountId, eventId, webhookId }: DeliveryKey) => `${accountId} ${eventId} ${webhookId}`;
  const placed = items.map((item) => ({ item, place: place(keyOf(item)) }));
  return placed.sort((one, other) => (one.place < other.place ? -1 : 1)).map(({ item }) => item);
}

/** Those that could not be made ready wait, and say why. */
export async function putOffDeliveries(tx: Tx, deliveries: readonly GivenBack[], reason: string): Promise<void> {
  if (deliveries.length === 0) return;
  await Promise.all([
    lockDeliveries(tx, deliveries),
    tx.execute(
      `update webhook_deliveries d
       set claim_id = null, next_attempt_at = u.due_at, state_reason = $7::text
       ${AS_HELD}`,
      [...heldColumns(deliveries), reason],
    ),
  ]);
}

function heldColumns(deliveries: readonly GivenBack[]) {
  return [
    ...keyColumns(deliveries),
    deliveries.map((each) => each.claimId),
    deliveries.map((each) => each.dueAt),
  ] as const;
}

export function keyColumns(keys: readonly DeliveryKey[]) {
  return [
    accountIdsOf(keys),
    keys.map((key) => key.accountId),
    keys.map((key) => key.eventId),
    keys.map((key) => key.webhookId),
  ] as const;
}

function deliveryOf(row: StoredDelivery): OpenDelivery {
  return {
    accountId: row.account_id,
    eventId: row.event_id,
    webhookId: row.webhook_id,
    objectId: row.object_id,
    sequence: row.sequence,
    attempts: row.attempts,
    tries: row.tries,
    nextAttemptAt: row.next_attempt_at,
    claimId: row.claim_id,
  };
}
