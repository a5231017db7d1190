/**
 * How a call about an attempt stands when its answer is recorded: it may have taken longer than its lease, and the
 * world has gone on. Pure.
 */
import type { Attempt } from './attempt.ts';
import type { Recipient } from './recipient.ts';

export interface AnsweredCall {
  /** Until when the recipient was ours. */
  readonly leaseEnd: Date;
  /** Given where the call has sent nothing: when somebody was last about to before it. */
  readonly sentBefore?: Date | null;
}

type CallStanding =
  /** The recipient is still claimed for it: the claim ends with the answer. */
  | 'holds'
  /** Its time was over, and somebody else has taken over or may have. */
  | 'lost'
  /** The attempt has ended within its time, by a callback: nobody had a reason to take over. */
  | 'ended';

export function standingOf(
  { leaseEnd }: AnsweredCall,
  { recipient, attempt, now }: { readonly recipient: Recipient; readonly attempt: Attempt; readonly now: Date },
): CallStanding {
  const isOpen = attempt.outcome === null;
  // What is claimed for a check of the account is not claimed for the attempt.
  const isForAttempt = recipient.isClaimed && recipient.checkId === null && recipient.attemptId === attempt.attemptId;
  // As long as the attempt is open, the next time of a claimed recipient is the end of the lease.
  const isOfOthers = isOpen && recipient.nextAttemptAt !== null && recipient.nextAttemptAt > leaseEnd;
  if (isForAttempt && !isOfOthers) return 'holds';
  return isOpen || now >= leaseEnd ? 'lost' : 'ended';
}
