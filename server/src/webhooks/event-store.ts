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

/** So much of the text of an id is its time, to the millisecond; what stands behind it is chance. */
const TIME_CHARS = 13;
const LEAST_CHANCE = '-0000-0000-000000000000';
const MOST_CHANCE = '-ffff-ffff-ffffffffffff';
const timeOf = (alias: string) => `left(${alias}.event_id::text, ${TIME_CHARS}) collate "C"`;

/** Read by id, up to the end of the millisecond in which a page ends at the latest: only so many are put in order. */
const LISTED = `select ${COLUMNS}
     from events e
     left join events l on l.account_id = $1::uuid and l.event_id = $2::uuid
     where e.account_id = $1::uuid and e.event_id >= $4::uuid
       and e.event_id <= coalesce(
         (select (${timeOf('n')} || '${MOST_CHANCE}')::uuid
          from events n
          where n.account_id = $1::uuid and n.event_id > $5::uuid
          order by n.event_id
          offset $6::integer - 1
          limit 1),
         'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
       and (${timeOf('e')}, e.object_id, e.sequence)
         > ($3::text, coalesce(l.object_id, '00000000-0000-0000-0000-000000000000'::uuid), coalesce(l.sequence, 0))
     order by ${timeOf('e')}, e.object_id, e.sequence
     limit $6::integer`;

/**
 * In the order of the times that their ids begin with. Events of one commit mostly have the same: within a millisecond
 * they stand by object, and those of one object in its own order. `after` is the id of an event, behind which the page
 * begins in this order, or an id that was made of a time and names none.
 */
export async function listEventsAfter(
  tx: Tx,
  wish: { readonly accountId: string; readonly after: string; readonly limit: number },
): Promise<StoredEvent[]> {
  const after = wish.after.toLowerCase();
  const time = after.slice(0, TIME_CHARS);
  const rows = await tx.query<EventRow>(LISTED, [
    wish.accountId,
    after,
    time,
    `${time}${LEAST_CHANCE}`,
    `${time}${MOST_CHANCE}`,
    wish.limit,
  ]);
  return rows.map(eventOf);
}

/**
 * When the last event about an object was stored, and the state in which it showed it; undefined: there is none. The
 * text is read here: the database refuses to look into JSON in which anything is half a character, as metadata may have
 * it.
 */
export async function readLastState(
  tx: Tx,
  { accountId, objectId }: { readonly accountId: string; readonly objectId: string },
): Promise<{ readonly state: string | null; readonly at: Date } | undefined> {
  const rows = await tx.query<{ object: string; created_at: Date }>(
    `select e.object, e.created_at
     from events e
     where e.account_id = $1::uuid and e.object_id = $2::uuid
     order by e.sequence desc
     limit 1`,
    [accountId, objectId],
  );
  return rows[0] && { state: stateIn(JSON.parse(rows[0].object)), at: rows[0].created_at };
}

function stateIn(object: unknown): string | null {
  const state: unknown = Reflect.get(Object(object), 'state');
  return typeof state === 'string' ? state : null;
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
