/** The SQL of deliveries as operators look at them. */
import { LAST_ID } from '../kernel/after-all.ts';
import type { Tx } from '../kernel/database.ts';
import { narrow, wish } from '../storage/narrow.ts';

export interface DeliveryListQuery {
  readonly accountId: string;
  readonly webhookId: string | null;
  readonly state: 'waiting' | 'delivered' | 'dropped' | null;
  /** Where the page before ended; null: from the newest. */
  readonly before: DeliveryPlace | null;
  readonly limit: number;
}

/** A place in the list. Events go to several webhooks, so that one may have deliveries on two pages. */
export interface DeliveryPlace {
  readonly eventId: string;
  /** Those of the event that stand behind this webhook come next; null: those of the events before it. */
  readonly webhookId: string | null;
}

export interface ListedDelivery {
  readonly eventId: string;
  readonly event: string;
  readonly objectId: string;
  readonly webhookId: string;
  readonly state: string;
  readonly stateReason: string | null;
  readonly tries: number;
  readonly nextAttemptAt: Date | null;
  readonly eventAt: Date;
  readonly finishedAt: Date | null;
}

/** In words that the indexes of those that wait and of those that were dropped are made with. */
const IN_STATE = {
  waiting: "d.state = 'waiting' and d.next_attempt_at is not null",
  delivered: "d.state = 'delivered'",
  dropped: "d.state = 'dropped'",
} as const;

/** Newest event first. Events are looked up for those of the page alone. */
export async function listDeliveries(tx: Tx, query: DeliveryListQuery): Promise<ListedDelivery[]> {
  const { accountId, before, limit, state, webhookId } = query;
  const { and, values } = narrow(
    [accountId, before?.eventId ?? LAST_ID, before?.webhookId ?? LAST_ID, limit],
    [wish('d.webhook_id = ?::uuid', webhookId), state && { sql: IN_STATE[state], values: [] }],
  );
  const rows = await tx.query<{
    event_id: string;
    event: string;
    object_id: string;
    webhook_id: string;
    state: string;
    state_reason: string | null;
    tries: number;
    next_attempt_at: Date | null;
    event_at: Date;
    finished_at: Date | null;
  }>(
    `select d.event_id, e.event, d.object_id, d.webhook_id, d.state, d.state_reason, d.tries, d.next_attempt_at,
       d.event_at, d.finished_at
     from (
       select d.account_id, d.event_id, d.object_id, d.webhook_id, d.state, d.state_reason, d.tries, d.next_attempt_at,
         d.event_at, d.finished_at
       from webhook_deliveries d
       where d.account_id = $1::uuid and d.event_id <= $2::uuid
         and (d.event_id < $2::uuid or d.webhook_id > $3::uuid) ${and}
       order by d.event_id desc, d.webhook_id
       limit $4::integer) d
     join events e on e.account_id = d.account_id and e.event_id = d.event_id
     where e.account_id = $1::uuid
     order by d.event_id desc, d.webhook_id`,
    values,
  );
  return rows.map((row) => ({
    eventId: row.event_id,
    event: row.event,
    objectId: row.object_id,
    webhookId: row.webhook_id,
    state: row.state,
    stateReason: row.state_reason,
    tries: row.tries,
    nextAttemptAt: row.next_attempt_at,
    eventAt: row.event_at,
    finishedAt: row.finished_at,
  }));
}
