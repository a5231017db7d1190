/** The SQL of attempts: recording what came of them. Reading them back is log-store.ts. */
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { Attempt } from './delivery.ts';
import { inLockOrder } from './delivery-store.ts';
import { reasonOf } from './schedule.ts';

const INSERT = `insert into webhook_attempts (account_id, attempt_id, webhook_id, event_id, key, tries, delivery_state, outcome,
       outcome_reason, request_headers, response_status, response_headers, response_body, took_ms, created_at)
     select a.account_id, u.attempt_id, u.webhook_id, u.event_id, u.key, u.tries, u.delivery_state, u.outcome,
       u.outcome_reason, u.request_headers::json, u.response_status, u.response_headers::json, u.response_body,
       u.took_ms, u.created_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::integer[], $8::text[], $9::text[],
         $10::text[], $11::text[], $12::smallint[], $13::text[], $14::text[], $15::integer[], $16::timestamptz[])
       as u (account_id, attempt_id, webhook_id, event_id, key, tries, delivery_state, outcome, outcome_reason,
         request_headers, response_status, response_headers, response_body, took_ms, created_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}
     on conflict do nothing
     returning attempt_id`;

/** Gives the ids of those that were not there yet: an attempt whose commit was not confirmed is recorded again. */
export async function insertAttempts(tx: Tx, attempts: readonly Attempt[]): Promise<Set<string>> {
  const rows = await tx.query<{ attempt_id: string }>(INSERT, [
    accountIdsOf(attempts.map((each) => each.delivery)),
    attempts.map((each) => each.delivery.accountId),
    attempts.map((each) => each.attemptId),
    attempts.map((each) => each.delivery.webhookId),
    attempts.map((each) => each.delivery.eventId),
    attempts.map((each) => each.delivery.signer?.key ?? ''),
    attempts.map((each) => each.delivery.tries + 1),
    attempts.map((each) => each.next.state),
    attempts.map((each) => each.outcome.kind),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? null : reasonOf(outcome))),
    attempts.map((each) => JSON.stringify(each.requestHeaders)),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? outcome.status : null)),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? keepHeaders(outcome.headers) : '{}')),
    attempts.map(({ outcome }) => (outcome.kind === 'answered' ? keepBody(outcome.body) : '')),
    attempts.map(({ outcome }) => Math.round(outcome.tookMs)),
    attempts.map((each) => each.sentAt),
  ]);
  return new Set(rows.map((row) => row.attempt_id));
}

/** What is kept of an answer. Open point OP-118. */
const MAX_KEPT_CHARS = 4_096;
const MAX_KEPT_HEADERS = 50;
const MAX_HEADER_CHARS = 500;
/** The database has no such character in texts. */
const NUL = /\0/g;

function keepBody(body: string): string {
  return body.slice(0, MAX_KEPT_CHARS).replace(NUL, '\ufffd');
}

function keepHeaders(headers: Readonly<Record<string, string>>): string {
  const kept = Object.entries(headers).slice(0, MAX_KEPT_HEADERS);
  const cut = (text: string) => text.slice(0, MAX_HEADER_CHARS).replace(NUL, '\ufffd');
  return JSON.stringify(Object.fromEntries(kept.map(([name, value]) => [cut(name), cut(value)])));
}

const MOVE = `update webhook_deliveries d
     set state = u.state, state_reason = u.reason, attempts = d.attempts + 1, tries = d.tries + 1, claim_id = null,
       next_attempt_at = u.next_attempt_at, finished_at = case when u.next_attempt_at is null then u.ended_at end
     from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::timestamptz[],
         $9::timestamptz[])
       as u (account_id, event_id, webhook_id, claim_id, state, reason, next_attempt_at, ended_at)
     join webhooks w on w.account_id = u.account_id and w.webhook_id = u.webhook_id
     where ${onNodeOf('d')} and ${onNodeOf('w')}
       and d.account_id = u.account_id and d.event_id = u.event_id and d.webhook_id = u.webhook_id
       and d.claim_id = u.claim_id and d.state = 'waiting'
     returning w.webhook_id, w.timeouts_in_row`;

/**
 * Moves deliveries on, each as long as it is held by the claim that made the attempt. Gives the time-outs in a row that
 * were counted before for the webhooks of those that were moved. The list has the order of locks, in which the server
 * goes through it; to lock all of them first would cost a tenth more for each delivery, and hardly any two batches
 * share one.
 */
export async function moveDeliveries(tx: Tx, ended: readonly Attempt[]): Promise<Map<string, number>> {
  const attempts = inLockOrder(ended, ({ delivery }) => delivery);
  const rows = await tx.query<{ webhook_id: string; timeouts_in_row: number }>(MOVE, [
    accountIdsOf(attempts.map((each) => each.delivery)),
    attempts.map((each) => each.delivery.accountId),
    attempts.map((each) => each.delivery.eventId),
    attempts.map((each) => each.delivery.webhookId),
    attempts.map((each) => each.delivery.claimId),
    attempts.map((each) => each.next.state),
    attempts.map((each) => each.next.reason),
    attempts.map((each) => each.next.nextAttemptAt),
    attempts.map((each) => each.endedAt),
  ]);
  return new Map(rows.map((row) => [row.webhook_id, row.timeouts_in_row]));
}

export interface TimeoutCount {
  readonly accountId: string;
  readonly webhookId: string;
  /** Time-outs since the last attempt that ended otherwise. */
  readonly timeouts: number;
  /** Whether one of these attempts ended otherwise, so that the count begins anew. */
  readonly isReset: boolean;
}

const LOCK_COUNTED = byKeys({
  columns: 'w.webhook_id',
  from: 'webhooks w',
  id: 'webhook_id',
  lock: 'for no key update',
});

const COUNT = `update webhooks w
     set timeouts_in_row = case when u.is_reset then u.timeouts else w.timeouts_in_row + u.timeouts end
     from unnest($2::uuid[], $3::uuid[], $4::integer[], $5::boolean[]) as u (account_id, webhook_id, timeouts, is_reset)
     where ${onNodeOf('w')} and w.account_id = u.account_id and w.webhook_id = u.webhook_id
       and (u.timeouts > 0 or w.timeouts_in_row <> 0)
     returning w.webhook_id, w.timeouts_in_row`;

/**
 * Counts time-outs in a row; a webhook that answers, as most do, is not written to. Gives the new counts. They come in
 * the order in which attempts ended; locks are taken in that of all operations, as another batch may count the same.
 */
export async function countTimeouts(tx: Tx, counts: readonly TimeoutCount[]): Promise<Map<string, number>> {
  if (counts.length === 0) return new Map();
  const keys = keyLists(counts, (count) => count.webhookId);
  const [, rows] = await Promise.all([
    tx.query(LOCK_COUNTED, keys),
    tx.query<{ webhook_id: string; timeouts_in_row: number }>(COUNT, [
      ...keys,
      counts.map((count) => count.timeouts),
      counts.map((count) => count.isReset),
    ]),
  ]);
  return new Map(rows.map((row) => [row.webhook_id, row.timeouts_in_row]));
}

export interface Disabling {
  readonly accountId: string;
  readonly webhookId: string;
  readonly reason: string;
}

/** For good: what is disabled is never enabled again. Gives the ids of those that were not before. */
export async function disableWebhooks(tx: Tx, disablings: readonly Disabling[], at: Date): Promise<Set<string>> {
  if (disablings.length === 0) return new Set();
  const rows = await tx.query<{ webhook_id: string }>(
    `update webhooks w
     set disabled_at = $5::timestamptz, disabled_reason = u.reason
     from unnest($2::uuid[], $3::uuid[], $4::text[]) as u (account_id, webhook_id, reason)
     where ${onNodeOf('w')} and w.webhook_id = any($3::uuid[])
       and w.account_id = u.account_id and w.webhook_id = u.webhook_id and w.disabled_at is null
     returning w.webhook_id`,
    [
      accountIdsOf(disablings),
      disablings.map((each) => each.accountId),
      disablings.map((each) => each.webhookId),
      disablings.map((each) => each.reason),
      at,
    ],
  );
  return new Set(rows.map((row) => row.webhook_id));
}
