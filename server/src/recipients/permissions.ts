/**
 * What a caller may do with a recipient: yes, or the reason why not. Spec: Recipient (editable, may_cancel), endpoints
 * 7 and 8. Open points OP-25 and OP-36.
 */
import { unreachable } from '../kernel/assert.ts';
import type { RecipientCategory } from './error-codes.ts';
import type { RecipientState } from './states.ts';

export interface RecipientFacts {
  readonly state: RecipientState;
  /** Paid in cash: the provider can change or stop the order until it is picked up. */
  readonly isCash: boolean;
  /** Category of the last error; undefined: there is none. */
  readonly category: RecipientCategory | undefined;
}

/** `sent`: the provider has it. `paid`, `canceled`, `broken`: it is finished. `sender_error`: no edit would help. */
type WhyNot = 'sent' | 'paid' | 'canceled' | 'broken' | 'sender_error';

type Permission = { readonly yes: true } | { readonly yes: false; readonly whyNot: WhyNot };

const YES: Permission = { yes: true };

function no(whyNot: WhyNot): Permission {
  return { yes: false, whyNot };
}

/** The flag `may_cancel`. It is no for a pending payout in cash too, which may nonetheless be deleted: see below. */
export function mayCancel(recipient: Pick<RecipientFacts, 'state'>): Permission {
  switch (recipient.state) {
    case 'initial':
    case 'error':
    case 'manual':
      return YES;
    case 'pending':
    case 'stuck':
      return no('sent');
    case 'success':
    case 'overpaid':
      return no('paid');
    case 'canceled':
    case 'refunded':
      return no('canceled');
    case 'exception':
      return no('broken');
    default:
      return unreachable(recipient.state);
  }
}

/**
 * Money that its payer has paid, or is paying, stays with the collection: no recipient of it is canceled. Open point
 * OP-169.
 */
export function keepsPayment({ isCollection, state }: { isCollection: boolean; state: string }): boolean {
  return isCollection && !['initial', 'approved', 'canceled'].includes(state);
}

/** The flag `editable`. An edit of a pending or stuck payout is used only if that attempt fails. */
export function editable(recipient: Pick<RecipientFacts, 'state' | 'category'>): Permission {
  const cancel = mayCancel(recipient);
  if (!cancel.yes && cancel.whyNot !== 'sent') return cancel;
  return recipient.category === 'sender_error' ? no('sender_error') : YES;
}

/** What DELETE does. All but `refuse` answer 200. */
export type CancelEffect =
  /** Canceled, and refunded where it was funded, in the same commit. */
  | 'cancel'
  /** The provider is asked to stop the order; canceled when it agrees. */
  | 'ask_provider'
  /** Kept in mind: no further attempt, and canceled when the provider says that this one failed. */
  | 'remember'
  /** It was canceled before. */
  | 'repeat'
  | 'refuse';

export function cancelEffect(recipient: Pick<RecipientFacts, 'state' | 'isCash'>): CancelEffect {
  const permission = mayCancel(recipient);
  if (permission.yes) return 'cancel';
  if (permission.whyNot === 'canceled') return 'repeat';
  if (permission.whyNot !== 'sent') return 'refuse';
  return recipient.isCash ? 'ask_provider' : 'remember';
}

/** What PATCH does: changed at the provider under the same pickup reference, used by the next attempt, or refused. */
export type EditEffect = 'update_at_provider' | 'next_attempt' | 'refuse';

export function editEffect(recipient: RecipientFacts): EditEffect {
  if (recipient.isCash && recipient.state === 'pending') return 'update_at_provider';
  return editable(recipient).yes ? 'next_attempt' : 'refuse';
}
