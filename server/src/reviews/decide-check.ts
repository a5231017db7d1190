/**
 * What a check makes of a sender. Pure. Not named by a list it is verified; where KYC is waived it is approved by that
 * rule, otherwise people decide, also about papers: nothing here reads them (Open point OP-177). Named by a list it is,
 * or becomes again, initial, and people decide. Spec: Sender states. Open points OP-32 and OP-102.
 */
import type { KycKind } from '../accounts/account.ts';
import type { SenderEvent } from '../senders/events.ts';
import type { Sender } from '../senders/sender.ts';
import { UNDER_REVIEW } from '../senders/state-reasons.ts';
import { type SenderMove, senderTable } from '../senders/states.ts';
import { isScreenedState } from '../senders/when-checked.ts';
import type { ReviewOutcome, ReviewReason } from './review.ts';

interface CheckFacts {
  readonly sender: Sender;
  readonly kyc: KycKind;
  /** A hit that no operator has cleared, by these lists, or before an edit in the review that is open. */
  readonly isNamed: boolean;
}

export interface CheckDecision {
  /** The very same object where nothing changes. */
  readonly after: Sender;
  readonly event: SenderEvent | undefined;
  readonly review:
    | { readonly do: 'open'; readonly reason: ReviewReason }
    | { readonly do: 'close'; readonly outcome: ReviewOutcome }
    | { readonly do: 'nothing' };
}

export function decideCheck({ sender, kyc, isNamed }: CheckFacts): CheckDecision {
  if (!isScreenedState(sender.state)) {
    return {
      after: isNamed ? doubted(sender) : sender,
      event: undefined,
      review: { do: 'close', outcome: 'disabled' },
    };
  }
  if (isNamed) {
    const after = { ...(sender.state === 'initial' ? sender : moved(sender, 'recheck')), stateReason: UNDER_REVIEW };
    return { after, event: undefined, review: { do: 'open', reason: 'match' } };
  }
  if (sender.state === 'approved') return { after: sender, event: undefined, review: { do: 'nothing' } };
  const verified = sender.state === 'initial' ? moved(sender, 'verify') : sender;
  if (kyc === 'waived') {
    const after = { ...moved(verified, 'approve'), stateReason: null };
    return { after, event: 'sender.approved', review: { do: 'close', outcome: 'cleared' } };
  }
  const after = { ...verified, stateReason: UNDER_REVIEW };
  return { after, event: undefined, review: { do: 'open', reason: 'identity' } };
}

/**
 * Deleted before the lists were asked about it: its payouts wait as if it had been in doubt then. Open point OP-204.
 */
function doubted(sender: Sender): Sender {
  const { disabledFrom } = sender;
  return disabledFrom === null ? sender : { ...sender, disabledFrom: senderTable.mustMove(disabledFrom, 'recheck') };
}

export function moved(sender: Sender, move: SenderMove): Sender {
  return { ...sender, state: senderTable.mustMove(sender.state, move) };
}
