/**
 * The SQL of the queue of reviews. It goes along the partial index of the open ones, so that it costs what it shows.
 */
import { BEFORE_ALL, type Cursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import type { Review, ReviewReason } from './review.ts';
import { REVIEW_COLUMNS, reviewOf, type StoredReview } from './store.ts';

export interface ReviewQuery {
  readonly reason: ReviewReason | null;
  readonly accountId: string | null;
  /** Behind this one. */
  readonly after: Cursor | null;
  readonly limit: number;
}

export interface QueuedReview {
  readonly review: Review;
  readonly accountName: string;
}

/** The longest open first. */
export async function pageOfOpenReviews(tx: Tx, query: ReviewQuery): Promise<QueuedReview[]> {
  const { at, id } = query.after ?? BEFORE_ALL;
  const rows = await tx.query<StoredReview & { account_name: string }>(
    `select ${REVIEW_COLUMNS}, a.name as account_name
     from sender_reviews r
     join accounts a on a.account_id = r.account_id
     where r.closed_at is null and (r.opened_at, r.review_id) > ($1::timestamptz, $2::uuid)
       and ($3::text is null or r.reason = $3::text)
       and ($4::uuid is null or r.account_id = $4::uuid)
     order by r.opened_at, r.review_id
     limit $5::integer`,
    [at, id, query.reason, query.accountId, query.limit],
  );
  return rows.map((row) => ({ review: reviewOf(row), accountName: row.account_name }));
}
