/** The SQL of ended webhooks: what waits for them is dropped. */
import type { Tx } from '../kernel/database.ts';
import type { WebhookKey } from './webhook.ts';

interface EndedWebhook extends WebhookKey {
  readonly endedAt: Date;
  readonly reason: string;
}

/**
 * Disabled or deleted, and not yet known to be empty. Those that ended first come first: an account that ends more of
 * them in a minute than are read at once would keep all others waiting.
 */
export async function readEndedWebhooks(tx: Tx, limit: number): Promise<EndedWebhook[]> {
  const rows = await tx.query<{ account_id: string; webhook_id: string; ended_at: Date; is_deleted: boolean }>(
    `select w.account_id, w.webhook_id, coalesce(w.deleted_at, w.disabled_at) as ended_at,
       w.deleted_at is not null as is_deleted
     from webhooks w
     where w.emptied_at is null and (w.disabled_at is not null or w.deleted_at is not null)
     order by ended_at, w.webhook_id
     limit $1::integer`,
    [limit],
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    webhookId: row.webhook_id,
    endedAt: row.ended_at,
    reason: row.is_deleted ? 'the webhook was deleted' : 'the webhook was disabled',
  }));
}

/** Takes them from whoever is sending them: an answer that comes later is logged and changes nothing. */
export async function dropOpen(
  tx: Tx,
  { accountId, webhookId, reason }: EndedWebhook,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<number> {
  return tx.execute(
    `update webhook_deliveries d
     set state = 'dropped', state_reason = $3::text, next_attempt_at = null, claim_id = null,
       finished_at = $4::timestamptz
     where d.account_id = $1::uuid and d.webhook_id = $2::uuid and d.state = 'waiting' and d.event_id = any(array(
       select o.event_id
       from webhook_deliveries o
       where o.account_id = $1::uuid and o.webhook_id = $2::uuid and o.next_attempt_at is not null
       order by o.next_attempt_at
       limit $5::integer
       for update skip locked))`,
    [accountId, webhookId, reason, now, limit],
  );
}

/** Not where something waits still: a row that somebody keeps is passed over when the others are dropped. */
export async function markEmptied(tx: Tx, { accountId, webhookId }: WebhookKey, at: Date): Promise<void> {
  await tx.execute(
    `update webhooks w
     set emptied_at = $3::timestamptz
     where w.account_id = $1::uuid and w.webhook_id = $2::uuid and not exists (
       select 1 from webhook_deliveries d
       where d.account_id = $1::uuid and d.webhook_id = $2::uuid and d.next_attempt_at is not null)`,
    [accountId, webhookId, at],
  );
}
