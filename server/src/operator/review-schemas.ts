/** The forms of requests about senders in review. A field that is not listed is refused: it is a mistyped one. */
import Type from 'typebox';
import { REVIEW_REASONS } from '../reviews/review.ts';
import { VERSION_CHARS } from '../transactions/held-version.ts';
import { formed } from './forms.ts';
import { limit, strict, text } from './schemas.ts';

/** What was looked at and why it was decided so: enough for a few sentences. */
const MAX_REASON_CHARS = 1_000;
/** Longer than any that we make. */
const MAX_SIGNATURE_CHARS = 100;

export const SenderParams = Type.Object({ sender_id: formed('uuid') });

export const ReviewsQuery = Type.Object(
  {
    reason: Type.Optional(Type.Enum([...REVIEW_REASONS])),
    account_id: Type.Optional(formed('uuid')),
    /** The `next` of the page before. */
    after: Type.Optional(formed('next')),
    limit,
  },
  strict,
);

export const DecisionBody = Type.Object({ reason: text(MAX_REASON_CHARS) }, strict);
/** `as_of`: that of the sender as it was shown. */
export const ApproveBody = Type.Object(
  { reason: text(MAX_REASON_CHARS), as_of: Type.Optional(text(VERSION_CHARS)) },
  strict,
);

export const DocumentParams = Type.Object({
  account_id: formed('uuid'),
  document_id: formed('uuid'),
});
export const DocumentQuery = Type.Object({
  expires: Type.Optional(Type.String({ maxLength: MAX_SIGNATURE_CHARS })),
  signature: Type.Optional(Type.String({ maxLength: MAX_SIGNATURE_CHARS })),
});
