/**
 * The SQL of sending again: deliveries that are finished begin anew. Their events are locked, so that none is deleted
 * meanwhile because its retention is over.
 */
import type { Tx } from '../kernel/database.ts';

interface EventToSend {
  readonly accountId: string;
  readonly eventId: string;
  /** Null: to every enabled webhook of the account that asked for events of this name. */
  readonly webhookId: string | null;
}

/**
 * Writes the missing deliveries of an event, as if its webhooks had been there when it happened, and begins those anew
 * that are finished. Gives how many there are now on their way because of it.
 */
export async function beginAgain(tx: Tx, { accountId, eventId, webhookId }: EventToSend, now: Date): Promise<number> {
  return tx.execute(
    `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
       next_attempt_at, event_at)
     select w.account_id, e.event_id, w.webhook_id, e.object_id, e.sequence, 'waiting', 0, 0, $4::timestamptz,
       e.created_at
     from webhooks w
     join events e on e.account_id = w.account_id
     where w.account_id = $1::uuid and e.account_id = $1::uuid and e.event_id = $2::uuid
       and w.disabled_at is null and w.deleted_at is null
       and (w.webhook_id = $3::uuid or ($3::uuid is null and e.event = any(w.events)))
     for share of e
     on conflict (account_id, event_id, webhook_id) do update
     set state = 'waiting', state_reason = null, attempts = 0, next_attempt_at = $4::timestamptz, finished_at = null
     where webhook_deliveries.state <> 'waiting'`,
    [accountId, eventId, webhookId, now],
  );
}

interface DroppedQuery {
  readonly accountId: string;
  /** Events from this moment on. */
  readonly from: Date;
  /** Events before this moment. */
  readonly to: Date;
  /** Only what was dropped on its way to this webhook; null for all. */
  readonly webhookId: string | null;
  /** Where they go now; null: to the webhook they were meant for. */
  readonly toWebhookId: string | null;
  readonly limit: number;
}

/**
 * The oldest first. Those whose webhook is gone or disabled stay dropped, unless another one is named: then an event
 * that several webhooks missed is one row of the limit, by which the caller knows whether there are more.
 */
export async function beginDroppedAgain(tx: Tx, query: DroppedQuery, now: Date): Promise<number> {
  return tx.execute(
    `insert into webhook_deliveries (account_id, event_id, webhook_id, object_id, sequence, state, attempts, tries,
       next_attempt_at, event_at)
     select e.account_id, d.event_id, d.webhook_id, d.object_id, d.sequence, 'waiting', 0, 0, $6::timestamptz,
       d.event_at
     from (
       select distinct on (o.event_at, o.event_id, t.webhook_id) o.event_at, o.event_id, t.webhook_id, o.object_id,
         o.sequence
       from webhook_deliveries o
       join webhooks t on t.account_id = o.account_id and t.webhook_id = coalesce($5::uuid, o.webhook_id)
       where o.account_id = $1::uuid and t.account_id = $1::uuid and o.state = 'dropped'
         and o.event_at >= $2::timestamptz and o.event_at < $3::timestamptz
         and ($4::uuid is null or o.webhook_id = $4::uuid)
         and t.disabled_at is null and t.deleted_at is null
         and not exists (
           select 1 from webhook_deliveries s
           where s.account_id = $1::uuid and s.event_id = o.event_id and s.webhook_id = t.webhook_id
             and s.state <> 'dropped')
       order by o.event_at, o.event_id, t.webhook_id
       limit $7::integer) d
     join events e on e.event_id = d.event_id
     where e.account_id = $1::uuid
     for share of e
     on conflict (account_id, event_id, webhook_id) do update
     set state = 'waiting', state_reason = null, attempts = 0, next_attempt_at = $6::timestamptz, finished_at = null
     where webhook_deliveries.state = 'dropped'`,
    [query.accountId, query.from, query.to, query.webhookId, query.toWebhookId, now, query.limit],
  );
}
