/**
 * The SQL that tells how an account has used the service so far, for one account at a time: asked by operators now and
 * then. Each looks at the newest rows alone, so that it costs the same for the largest account.
 */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';

/** How many of the newest rows of each kind are looked at. */
const LOOK_BACK_ROWS = 10_000;
/** Among how many of the newest calls those of a method are looked for: an account may never have made such a call. */
const LOOK_BACK_CALLS = 50_000;

/**
 * The id behind a path in the address of a call, or null. Taken apart by hand, which takes 5 us for each address; a
 * regular expression takes 37.
 */
function idBehind(path: string): string {
  const named = `lower(left(split_part(request_url, '${path}', 2), 36))`;
  return `case when ${named} like '________-____-____-____-____________'
    and translate(${named}, '0123456789abcdef', '') = '----' then ${named}::uuid end`;
}

const TRANSACTION = idBehind('/v1/transactions/');
const RECIPIENT = idBehind('/v1/recipients/');

/** The newest calls of one method that were answered so, of the account $1, at most $2 of the newest $3. */
function newestCalls(columns: string, condition: string): string {
  return `select ${columns}
         from (
           select request_method, request_url, response_status, created_at, api_log_id from api_logs
           where account_id = $1::uuid
           order by created_at desc, api_log_id desc
           limit $3::integer) c
         where ${condition}
         order by created_at desc, api_log_id desc
         limit $2::integer`;
}

const STATUS_CHECKS = newestCalls(`${TRANSACTION} as named, created_at`, `request_method = 'GET'`);
const READS = newestCalls('request_url, created_at', `request_method = 'GET' and response_status = 200`);
const CANCELS = newestCalls(`${RECIPIENT} as named, created_at`, `request_method = 'DELETE' and response_status = 200`);

/** Counts, and when it last happened; null: never. */
export interface Use<Name extends string> {
  readonly counts: Readonly<Record<Name, number>>;
  readonly lastAt: Date | null;
}

type StoredUse = Readonly<Record<string, bigint | Date | null>>;

export async function readSenderUse(tx: Tx, accountId: string) {
  const rows = await tx.query<StoredUse>(
    `select count(*) as senders, count(s.external_id) as with_external_id,
       count(s.external_id) filter (where u.transactions > 1) as reused,
       max(u.last_at) filter (where s.external_id is not null and u.transactions > 1) as last_at
     from (
       select t.sender_id, count(*) as transactions, max(t.created_at) as last_at
       from (
         select sender_id, created_at from transactions
         where account_id = $1::uuid
         order by created_at desc, transaction_id desc
         limit $2::integer) t
       group by t.sender_id) u
     join senders s on s.account_id = $1::uuid and s.sender_id = u.sender_id`,
    [accountId, LOOK_BACK_ROWS],
  );
  return useOf(rows, 'senders', 'with_external_id', 'reused');
}

/** Webhooks that are enabled, and what became of the newest deliveries to any. */
export async function readWebhookUse(tx: Tx, accountId: string) {
  const rows = await tx.query<StoredUse>(
    `select
       (select count(*) from webhooks w
        where w.account_id = $1::uuid and w.disabled_at is null and w.deleted_at is null) as enabled,
       count(*) filter (where d.state = 'delivered') as delivered,
       count(*) filter (where d.state = 'dropped') as dropped,
       max(d.finished_at) filter (where d.state = 'delivered') as last_at
     from (
       select state, finished_at from webhook_deliveries
       where account_id = $1::uuid
       order by event_id desc
       limit $2::integer) d`,
    [accountId, LOOK_BACK_ROWS],
  );
  return useOf(rows, 'enabled', 'delivered', 'dropped');
}

interface LimitBound {
  readonly name: string;
  readonly calls: number;
}

/** Windows of the soft limits in which there were too many calls, as far as they are still kept. */
export async function readLimitUse(tx: Tx, accountId: string, bounds: readonly LimitBound[]) {
  const rows = await tx.query<StoredUse>(
    `select count(*) as windows, count(*) filter (where c.calls > u.calls) as windows_over,
       max(c.window_start) filter (where c.calls > u.calls) as last_at
     from soft_limit_counts c
     join unnest($2::text[], $3::integer[]) as u (limit_name, calls) on u.limit_name = c.limit_name
     where c.account_id = $1::uuid`,
    [accountId, bounds.map(({ name }) => name), bounds.map(({ calls }) => calls)],
  );
  return useOf(rows, 'windows', 'windows_over');
}

/** Transactions that were looked at too often within an hour of their life, by the newest calls. */
export async function readStatusChecks(tx: Tx, accountId: string, allowed: { first: number; later: number }) {
  const rows = await tx.query<StoredUse>(
    `select coalesce(sum(h.checks), 0)::bigint as status_checks, count(*) filter (where h.is_over) as hours_over,
       max(h.last_at) filter (where h.is_over) as last_at
     from (
       select count(*) as checks, max(g.created_at) as last_at,
         count(*) > case when g.hour = 0 then $4::integer else $5::integer end as is_over
       from (
         select t.transaction_id, l.created_at,
           floor(extract(epoch from l.created_at - t.created_at) / 3600) as hour
         from (
           ${STATUS_CHECKS}) l
         join transactions t on t.account_id = $1::uuid and t.transaction_id = l.named) g
       group by g.transaction_id, g.hour) h`,
    [accountId, LOOK_BACK_ROWS, LOOK_BACK_CALLS, allowed.first, allowed.later],
  );
  return useOf(rows, 'status_checks', 'hours_over');
}

/** Errors of recipients that were told, and which of them reached the account: by webhook, or by a read afterwards. */
export async function readErrorUse(tx: Tx, accountId: string) {
  const rows = await tx.query<StoredUse>(
    `with errors as (
       select e.event_id, e.object_id, e.created_at
       from (
         select event_id, event, object_id, created_at from events
         where account_id = $1::uuid
         order by event_id desc
         limit $2::integer) e
       where e.event = 'recipient.error'),
     reads as (
       select coalesce(${TRANSACTION}, ${RECIPIENT}) as named,
         max(created_at) as last_at
       from (
         ${READS}) l
       group by named)
     select count(*) as errors, count(d.event_id) as delivered,
       count(*) filter (where p.last_at >= e.created_at) as read,
       max(greatest(d.finished_at, p.last_at)) filter (where d.event_id is not null or p.last_at >= e.created_at) as last_at
     from errors e
     join recipients r on r.account_id = $1::uuid and r.recipient_id = e.object_id
     left join (
       select event_id, max(finished_at) as finished_at from webhook_deliveries
       where account_id = $1::uuid and state = 'delivered' and event_id in (select event_id from errors)
       group by event_id) d on d.event_id = e.event_id
     left join lateral (
       select max(reads.last_at) as last_at from reads
       where reads.named = r.recipient_id or reads.named = r.transaction_id) p on true`,
    [accountId, LOOK_BACK_ROWS, LOOK_BACK_CALLS],
  );
  return useOf(rows, 'errors', 'delivered', 'read');
}

/** Recipients that the account itself has canceled, by its newest calls. */
export async function readCancelUse(tx: Tx, accountId: string) {
  const rows = await tx.query<StoredUse>(
    `select count(distinct l.named) as canceled, max(l.created_at) as last_at
     from (
       ${CANCELS}) l
     where l.named is not null`,
    [accountId, LOOK_BACK_ROWS, LOOK_BACK_CALLS],
  );
  return useOf(rows, 'canceled');
}

function useOf<Name extends string>(rows: readonly StoredUse[], ...names: readonly Name[]): Use<Name> {
  const row = present(rows[0], 'the one row of an aggregate');
  const counts = Object.fromEntries(names.map((name) => [name, Number(row[name] ?? 0n)]));
  const lastAt = row['last_at'];
  return { counts: counts as Record<Name, number>, lastAt: lastAt instanceof Date ? lastAt : null };
}
