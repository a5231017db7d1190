/**
 * Senders as operators look at them: the queue of those that wait for people, and one with everything that is known.
 */
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import { type Cursor, nextCursor } from '../kernel/cursor.ts';
import type { Tx } from '../kernel/database.ts';
import { findAnySender, findSendersByKey } from '../senders/checks.ts';
import type { Sender } from '../senders/sender.ts';
import { pageOfOpenReviews, type QueuedReview, type ReviewQuery } from './page-store.ts';
import type { Review, SenderCheck } from './review.ts';
import { readChecksOf, readReviewsOf } from './store.ts';

/** Of each kind, newest first: enough for a decision. */
const MAX_SHOWN = 50;

export interface QueueItem extends QueuedReview {
  readonly sender: Sender;
}

interface ReviewPage {
  readonly items: readonly QueueItem[];
  /** Where the next page begins; null when this was the last one. */
  readonly next: Cursor | null;
}

export function listReviews({ db }: Pick<Context, 'db'>, query: ReviewQuery): Promise<ReviewPage> {
  return db.inTx(async (tx) => {
    const queued = await pageOfOpenReviews(tx, query);
    const senders = await findSendersByKey(
      tx,
      queued.map(({ review }) => review),
    );
    const items = queued.map((each) => ({
      ...each,
      sender: present(senders.get(each.review.senderId), 'sender of a review'),
    }));
    const next = nextCursor(items, query.limit, ({ review }) => ({ at: review.openedAt, id: review.reviewId }));
    return { items, next };
  });
}

export interface ShownSender {
  readonly sender: Sender;
  /** Newest first; an open one is the newest. */
  readonly reviews: readonly Review[];
  readonly checks: readonly SenderCheck[];
}

export async function showSender(tx: Tx, senderId: string): Promise<ShownSender | undefined> {
  const sender = await findAnySender(tx, senderId);
  if (sender === undefined) return undefined;
  const reviews = await readReviewsOf(tx, sender, MAX_SHOWN);
  return { sender, reviews, checks: await readChecksOf(tx, sender, MAX_SHOWN) };
}
