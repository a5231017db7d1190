/** Senders in review as operators see them. What stands in the audit log holds no details of people. */
import type { Document } from '../documents/document.ts';
import { viewDocument } from '../documents/view.ts';
import { approvalOf } from '../reviews/decide-review.ts';
import type { JudgedHit, Review, SenderCheck } from '../reviews/review.ts';
import type { QueueItem, ShownSender } from '../reviews/show.ts';
import { versionOfSender } from '../reviews/shown-version.ts';
import type { Sender } from '../senders/sender.ts';
import { viewSender } from '../senders/view.ts';
import type { PastDecision } from './past-decisions.ts';
import { timeView } from './time-view.ts';

const MS_PER_SECOND = 1_000;

/** For the audit log: what a decision can change. */
export function senderStateView(sender: Sender, review: Review | undefined) {
  return {
    account_id: sender.accountId,
    state: sender.state,
    ...(review && {
      review_id: review.reviewId,
      outcome: review.closing?.outcome ?? null,
      first_approval_by: review.approval?.by ?? null,
      hits: review.hits.map(({ list, entryId, score }) => ({ list, entry_id: entryId, score })),
    }),
  };
}

export function queueItemView({ review, accountName, sender }: QueueItem, now: Date) {
  return {
    sender_id: sender.senderId,
    external_id: sender.externalId,
    account_id: sender.accountId,
    account_name: accountName,
    type: sender.type,
    name: nameOf(sender),
    country: sender.details['country'] ?? null,
    state: sender.state,
    reason: review.reason,
    hits: review.hits.length,
    best_score: review.hits.length === 0 ? null : Math.max(...review.hits.map(({ score }) => score)),
    documents: sender.documents.length,
    opened_at: review.openedAt.toISOString(),
    age_seconds: Math.floor((now.getTime() - review.openedAt.getTime()) / MS_PER_SECOND),
    first_approval_by: approvalOf(review, sender)?.by ?? null,
  };
}

export function shownSenderView({ sender, reviews, checks }: ShownSender, addressOf: (document: Document) => string) {
  const open = reviews.find(({ closing }) => closing === null);
  return {
    sender: {
      account_id: sender.accountId,
      ...viewSender(sender),
      documents: sender.documents.map((document) => ({ ...viewDocument(document), url: addressOf(document) })),
      updated_at: sender.updatedAt.toISOString(),
    },
    /** Names what is shown here when it is approved. */
    as_of: versionOfSender(sender, open),
    /** Not null: the checks have not run for the sender as it is now. */
    check_due: timeView(sender.due?.at),
    review: open ? reviewView(open, sender) : null,
    past_reviews: reviews.filter((review) => review !== open).map((review) => reviewView(review, sender)),
    checks: checks.map(checkView),
  };
}

function reviewView(review: Review, sender: Sender) {
  const { approval, closing } = review;
  return {
    id: review.reviewId,
    reason: review.reason,
    opened_at: review.openedAt.toISOString(),
    list_version: review.listVersion,
    hits: review.hits.map(hitView),
    first_approval: approval && {
      by: approval.by,
      at: approval.at.toISOString(),
      reason: approval.reason,
      /** False: the sender has changed since, so that it counts for nothing. */
      is_valid: closing !== null || approvalOf(review, sender) !== undefined,
    },
    outcome: closing?.outcome ?? null,
    closed_at: timeView(closing?.at),
    closed_by: closing?.by ?? null,
    closed_reason: closing?.reason ?? null,
  };
}

export function decisionView({ do: decision, at, by, reason, from, to }: PastDecision) {
  return { at: at.toISOString(), by, decision, from_state: from, to_state: to, reason };
}

function checkView(check: SenderCheck) {
  return {
    id: check.checkId,
    at: check.at.toISOString(),
    reason: check.reason,
    list_version: check.listVersion,
    from_state: check.from,
    to_state: check.to,
    /** The sender as it was then. */
    subjects: check.subjects.map(({ names, type, birthDate, countries }) => ({
      names,
      type,
      birth_date: birthDate,
      countries,
    })),
    hits: check.hits.map(hitView),
  };
}

function hitView(hit: JudgedHit) {
  return {
    list: hit.list,
    entry_id: hit.entryId,
    name: hit.name,
    matched_name: hit.matchedName,
    score: hit.score,
    explanation: hit.explanation,
    was_cleared: hit.isCleared,
    before_edit: hit.isFromBefore ?? false,
  };
}

function nameOf({ details }: Sender): string {
  const names = ['first_name', 'middle_name', 'last_name'].map((field) => details[field]);
  const person = names.filter((name) => typeof name === 'string').join(' ');
  return person === '' ? String(details['name'] ?? '') : person;
}
