/** The SQL of checks and reviews. The sender's row lock, which the caller holds, covers its reviews. */
import { assert } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { ScreenedSubject } from '../screening/sender-screening.ts';
import type { SenderKey } from '../senders/sender.ts';
import type { SenderState } from '../senders/states.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { CheckReason, JudgedHit, Review, ReviewOutcome, ReviewReason, SenderCheck } from './review.ts';

export const REVIEW_COLUMNS = `r.account_id, r.review_id, r.sender_id, r.reason, r.opened_at, r.list_version, r.hits,
  r.approved_by, r.approved_at, r.approved_reason, r.approved_as_of, r.closed_at, r.closed_by, r.closed_reason, r.outcome`;

export interface StoredReview {
  account_id: string;
  review_id: string;
  sender_id: string;
  reason: string;
  opened_at: Date;
  list_version: string;
  hits: JudgedHit[];
  approved_by: string | null;
  approved_at: Date | null;
  approved_reason: string | null;
  approved_as_of: Date | null;
  closed_at: Date | null;
  closed_by: string | null;
  closed_reason: string | null;
  outcome: string | null;
}

/** By sender id. */
export async function readOpenReviews(tx: Tx, keys: readonly SenderKey[]): Promise<Map<string, Review>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.query<StoredReview>(
    byKeys({ columns: REVIEW_COLUMNS, from: 'sender_reviews r', id: 'sender_id', and: 'r.closed_at is null' }),
    keyLists(keys, (key) => key.senderId),
  );
  return new Map(rows.map((row) => [row.sender_id, reviewOf(row)]));
}

/** Newest first. */
export async function readReviewsOf(tx: Tx, key: SenderKey, limit: number): Promise<Review[]> {
  const rows = await tx.query<StoredReview>(
    `select ${REVIEW_COLUMNS}
     from sender_reviews r
     where r.account_id = $1::uuid and r.sender_id = $2::uuid
     order by r.opened_at desc, r.review_id desc
     limit $3::integer`,
    [key.accountId, key.senderId, limit],
  );
  return rows.map(reviewOf);
}

const REVIEWS = rowsOf<Review>('sender_reviews', {
  account_id: ['uuid', (r) => r.accountId],
  review_id: ['uuid', (r) => r.reviewId],
  sender_id: ['uuid', (r) => r.senderId],
  reason: ['text', (r) => r.reason],
  opened_at: ['timestamptz', (r) => r.openedAt],
  list_version: ['text', (r) => r.listVersion],
  hits: ['json', (r) => JSON.stringify(r.hits)],
});

export function insertReviews(tx: Tx, reviews: readonly Review[]): Promise<void> {
  return addRows(tx, REVIEWS, reviews);
}

/** Writes what can change of open reviews. The guard repeats that they are open; a lost change is a bug. */
export async function updateReviews(tx: Tx, reviews: readonly Review[]): Promise<void> {
  if (reviews.length === 0) return;
  const updated = await tx.execute(
    `update sender_reviews r
     set reason = u.reason, list_version = u.list_version, hits = u.hits::json, approved_by = u.approved_by,
       approved_at = u.approved_at, approved_reason = u.approved_reason, approved_as_of = u.approved_as_of,
       closed_at = u.closed_at, closed_by = u.closed_by, closed_reason = u.closed_reason, outcome = u.outcome
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[],
         $10::timestamptz[], $11::timestamptz[], $12::text[], $13::text[], $14::text[])
       as u (account_id, review_id, reason, list_version, hits, approved_by, approved_at, approved_reason,
         approved_as_of, closed_at, closed_by, closed_reason, outcome)
     where ${onNodeOf('r')} and r.review_id = any($3::uuid[])
       and r.account_id = u.account_id and r.review_id = u.review_id and r.closed_at is null`,
    [
      accountIdsOf(reviews),
      reviews.map((r) => r.accountId),
      reviews.map((r) => r.reviewId),
      reviews.map((r) => r.reason),
      reviews.map((r) => r.listVersion),
      reviews.map((r) => JSON.stringify(r.hits)),
      reviews.map((r) => r.approval?.by ?? null),
      reviews.map((r) => r.approval?.at ?? null),
      reviews.map((r) => r.approval?.reason ?? null),
      reviews.map((r) => r.approval?.asOf ?? null),
      reviews.map((r) => r.closing?.at ?? null),
      reviews.map((r) => r.closing?.by ?? null),
      reviews.map((r) => r.closing?.reason ?? null),
      reviews.map((r) => r.closing?.outcome ?? null),
    ],
  );
  assert(updated === reviews.length, 'every review that was decided on was still open');
}

const CHECKS = rowsOf<SenderCheck>('sender_checks', {
  account_id: ['uuid', (c) => c.accountId],
  check_id: ['uuid', (c) => c.checkId],
  sender_id: ['uuid', (c) => c.senderId],
  reason: ['text', (c) => c.reason],
  at: ['timestamptz', (c) => c.at],
  list_version: ['text', (c) => c.listVersion],
  subjects: ['json', (c) => JSON.stringify(c.subjects)],
  hits: ['json', (c) => JSON.stringify(c.hits)],
  from_state: ['text', (c) => c.from],
  to_state: ['text', (c) => c.to],
});

export function insertChecks(tx: Tx, checks: readonly SenderCheck[]): Promise<void> {
  return addRows(tx, CHECKS, checks);
}

/** Newest first. */
export async function readChecksOf(tx: Tx, key: SenderKey, limit: number): Promise<SenderCheck[]> {
  const rows = await tx.query<{
    check_id: string;
    reason: string;
    at: Date;
    list_version: string;
    subjects: ScreenedSubject[];
    hits: JudgedHit[];
    from_state: string;
    to_state: string;
  }>(
    `select c.check_id, c.reason, c.at, c.list_version, c.subjects, c.hits, c.from_state, c.to_state
     from sender_checks c
     where c.account_id = $1::uuid and c.sender_id = $2::uuid
     order by c.at desc, c.check_id desc
     limit $3::integer`,
    [key.accountId, key.senderId, limit],
  );
  return rows.map((row) => ({
    accountId: key.accountId,
    senderId: key.senderId,
    checkId: row.check_id,
    reason: row.reason as CheckReason,
    at: row.at,
    listVersion: row.list_version,
    subjects: row.subjects,
    hits: row.hits,
    from: row.from_state as SenderState,
    to: row.to_state as SenderState,
  }));
}

export function reviewOf(row: StoredReview): Review {
  const { approved_by: by, approved_at: at, approved_reason: reason, approved_as_of: asOf } = row;
  return {
    accountId: row.account_id,
    reviewId: row.review_id,
    senderId: row.sender_id,
    // Words are check constraints of the table; a test compares them with the code.
    reason: row.reason as ReviewReason,
    openedAt: row.opened_at,
    listVersion: row.list_version,
    hits: row.hits,
    approval: by === null || at === null || reason === null || asOf === null ? null : { by, at, reason, asOf },
    closing:
      row.closed_at === null
        ? null
        : {
            at: row.closed_at,
            by: row.closed_by,
            reason: row.closed_reason,
            outcome: row.outcome as ReviewOutcome,
          },
  };
}
