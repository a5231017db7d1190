/**
 * What operators decide about senders: approve, reject, ban, lift. In the transaction of the caller, who writes the
 * audit row into the same commit. The sender's lock makes two that decide at once come one after the other: the later
 * one sees what the earlier one did. Refusals: decide-review.ts.
 */
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { lockAnySender, withEvent, writeOutcomes } from '../senders/checks.ts';
import type { Sender } from '../senders/sender.ts';
import { followSenders } from '../transactions/follow-senders.ts';
import { type DecisionName, decideReview } from './decide-review.ts';
import type { Review } from './review.ts';
import { readOpenReviews, updateReviews } from './store.ts';

export interface ReviewOrder {
  readonly senderId: string;
  readonly do: DecisionName;
  readonly operator: string;
  readonly reason: string;
  /** For an approval: what the operator looked at (shown-version.ts); undefined: it is not compared. */
  readonly asOf?: string | undefined;
}

type ReviewResult =
  | { readonly kind: 'done'; readonly before: Sender; readonly after: Sender; readonly review: Review | undefined }
  | { readonly kind: 'refused'; readonly why: OperatorRefusalCode }
  | { readonly kind: 'unknown' };

export async function operateSender(
  ctx: Pick<Context, 'ids' | 'settings' | 'clock'>,
  tx: Tx,
  { senderId, do: what, operator, reason, asOf }: ReviewOrder,
): Promise<ReviewResult> {
  const locked = await lockAnySender(tx, senderId);
  if (locked === undefined) return { kind: 'unknown' };
  const { sender: before, cleared } = locked;
  const review = (await readOpenReviews(tx, [before])).get(senderId);
  const now = ctx.clock.now();
  const { twoPersons } = ctx.settings.reviews;
  const decision = decideReview(what, { sender: before, cleared, review, operator, reason, asOf, twoPersons, now });
  if (!decision.ok) return { kind: 'refused', why: decision.why };
  const after = withEvent(decision.after, decision.event);
  await writeOutcomes(
    ctx,
    tx,
    [{ before, after, event: decision.event, screened: undefined, cleared: decision.cleared }],
    now,
  );
  const decided = review && {
    ...review,
    ...(decision.approval && { approval: decision.approval }),
    ...(decision.closing && { closing: decision.closing }),
  };
  await updateReviews(tx, decided ? [decided] : []);
  if (after.state !== before.state) await followSenders(tx, [after], now);
  return { kind: 'done', before, after, review: decided };
}
