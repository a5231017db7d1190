/** The SQL of webhooks: where events go. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Webhook, WebhookKey } from './webhook.ts';

const COLUMNS = `w.account_id, w.webhook_id, w.url, w.events, w.metadata, w.key, w.created_at, w.disabled_at,
  w.disabled_reason`;

interface StoredWebhook {
  account_id: string;
  webhook_id: string;
  url: string;
  events: string[];
  metadata: Record<string, unknown>;
  key: string;
  created_at: Date;
  disabled_at: Date | null;
  disabled_reason: string | null;
}

export async function insertWebhooks(tx: Tx, webhooks: readonly Webhook[]): Promise<void> {
  if (webhooks.length === 0) return;
  const inserted = await tx.execute(
    `insert into webhooks (account_id, webhook_id, url, events, metadata, key, timeouts_in_row, created_at)
     select a.account_id, u.webhook_id, u.url, string_to_array(u.events, ' '), u.metadata::json, u.key, 0, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[])
       as u (account_id, webhook_id, url, events, metadata, key, created_at) on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(webhooks),
      webhooks.map((w) => w.accountId),
      webhooks.map((w) => w.webhookId),
      webhooks.map((w) => w.url),
      webhooks.map((w) => w.events.join(' ')),
      webhooks.map((w) => JSON.stringify(w.metadata)),
      webhooks.map((w) => w.key),
      webhooks.map((w) => w.createdAt),
    ],
  );
  assert(inserted === webhooks.length, 'every webhook was stored');
}

/** Those that are there and, on request, those that were deleted. */
export async function readWebhooks(
  tx: Tx,
  keys: readonly WebhookKey[],
  { withDeleted = false }: { readonly withDeleted?: boolean } = {},
): Promise<Webhook[]> {
  const rows = await tx.query<StoredWebhook>(
    byKeys({
      columns: COLUMNS,
      from: 'webhooks w',
      id: 'webhook_id',
      and: '($4::boolean or w.deleted_at is null)',
    }),
    [...keyLists(keys, (key) => key.webhookId), withDeleted],
  );
  return rows.map(webhookOf);
}

const READ_ENDED = byKeys({
  columns: 'w.webhook_id',
  from: 'webhooks w',
  id: 'webhook_id',
  and: '(w.disabled_at is not null or w.deleted_at is not null)',
});

/** Which of them get nothing more: ids of those that were disabled or deleted. */
export async function readEnded(tx: Tx, keys: readonly WebhookKey[]): Promise<Set<string>> {
  const rows = await tx.query<{ webhook_id: string }>(
    READ_ENDED,
    keyLists(keys, (key) => key.webhookId),
  );
  return new Set(rows.map((row) => row.webhook_id));
}

/** Those that are there, for a deletion: whoever waited for the row finds it deleted. */
export async function lockWebhooks(tx: Tx, keys: readonly WebhookKey[]): Promise<Webhook[]> {
  const rows = await tx.query<StoredWebhook>(
    byKeys({
      columns: COLUMNS,
      from: 'webhooks w',
      id: 'webhook_id',
      and: 'w.deleted_at is null',
      lock: 'for no key update',
    }),
    keyLists(keys, (key) => key.webhookId),
  );
  return rows.map(webhookOf);
}

/** How many each account has that events are sent to. The rows of the accounts are locked: two at once are counted. */
export async function countEnabled(tx: Tx, accountIds: readonly string[]): Promise<Map<string, number>> {
  await tx.query(
    `select a.account_id from accounts a where a.account_id = any($1::uuid[]) order by a.account_id for no key update`,
    [accountIds],
  );
  const rows = await tx.query<{ account_id: string; count: bigint }>(
    `select w.account_id, count(*) as count
     from webhooks w
     where w.account_id = any($1::uuid[]) and w.disabled_at is null and w.deleted_at is null
     group by w.account_id`,
    [accountIds],
  );
  return new Map(rows.map((row) => [row.account_id, Number(row.count)]));
}

/** Newest first. */
export async function listWebhooks(
  tx: Tx,
  { accountId, offset, limit }: { readonly accountId: string; readonly offset: number; readonly limit: number },
): Promise<Webhook[]> {
  const rows = await tx.query<StoredWebhook>(
    `select ${COLUMNS}
     from webhooks w
     where w.account_id = $1::uuid and w.deleted_at is null
     order by w.created_at desc, w.webhook_id desc
     offset $2::bigint limit $3::integer`,
    [accountId, offset, limit],
  );
  return rows.map(webhookOf);
}

export async function countWebhooks(tx: Tx, accountId: string): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    'select count(*) as count from webhooks w where w.account_id = $1::uuid and w.deleted_at is null',
    [accountId],
  );
  return Number(rows[0]?.count ?? 0n);
}

/** Marks as deleted what is there; gives the ids of those. */
export async function markDeleted(tx: Tx, keys: readonly WebhookKey[], at: Date): Promise<void> {
  if (keys.length === 0) return;
  await tx.execute(
    `update webhooks w set deleted_at = $3::timestamptz
     where w.account_id = any($1::uuid[]) and w.webhook_id = any($2::uuid[]) and w.deleted_at is null`,
    [accountIdsOf(keys), keys.map((key) => key.webhookId), at],
  );
}

function webhookOf(row: StoredWebhook): Webhook {
  return {
    accountId: row.account_id,
    webhookId: row.webhook_id,
    url: row.url,
    events: row.events,
    metadata: row.metadata,
    key: row.key,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    disabledReason: row.disabled_reason,
  };
}
