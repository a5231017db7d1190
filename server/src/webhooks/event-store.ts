/** Reading stored events back, for deliveries, logs, `listen` and operators. Writing them is outbox.ts. */
import type { Tx } from '../kernel/database.ts';
import { byKeys, keyLists } from '../storage/tenants.ts';
import type { StoredEvent } from './delivery.ts';

const COLUMNS = `e.account_id, e.event_id, e.event, e.object_type, e.object_id, e.object, e.descriptors, e.created_at`;

interface EventRow {
  account_id: string;
  event_id: string;
  event: string;
  object_type: string;
  object_id: string;
  object: string;
  descriptors: string[];
  created_at: Date;
}

const BY_ID = byKeys({ columns: COLUMNS, from: 'events e', id: 'event_id' });

/** By id. */
export async function readEvents(
  tx: Tx,
  keys: readonly { readonly accountId: string; readonly eventId: string }[],
): Promise<Map<string, StoredEvent>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<EventRow>(
    BY_ID,
    keyLists(keys, (key) => key.eventId),
  );
  return new Map(rows.map((row) => [row.event_id, eventOf(row)]));
}

/** In the order of their ids, which begin with the time. */
export async function listEventsAfter(
  tx: Tx,
  { accountId, after, limit }: { readonly accountId: string; readonly after: string; readonly limit: number },
): Promise<StoredEvent[]> {
  const rows = await tx.query<EventRow>(
    `select ${COLUMNS}
     from events e
     where e.account_id = $1::uuid and e.event_id > $2::uuid
     order by e.event_id
     limit $3::integer`,
    [accountId, after, limit],
  );
  return rows.map(eventOf);
}

/** When the last event about an object was stored, and the state in which it showed it; undefined: there is none. */
export async function readLastState(
  tx: Tx,
  { accountId, objectId }: { readonly accountId: string; readonly objectId: string },
): Promise<{ readonly state: string | null; readonly at: Date } | undefined> {
  const rows = await tx.query<{ state: string | null; created_at: Date }>(
    `select e.object::json ->> 'state' as state, e.created_at
     from events e
     where e.account_id = $1::uuid and e.object_id = $2::uuid
     order by e.sequence desc
     limit 1`,
    [accountId, objectId],
  );
  return rows[0] && { state: rows[0].state, at: rows[0].created_at };
}

function eventOf(row: EventRow): StoredEvent {
  return {
    accountId: row.account_id,
    eventId: row.event_id,
    event: row.event,
    objectType: row.object_type,
    objectId: row.object_id,
    object: row.object,
    descriptors: row.descriptors,
    createdAt: row.created_at,
  };
}
