/**
 * What the corridors of its recipients ask of a sender that it does not have: asked when a transaction is created, and
 * again when it is funded, since a sender may be edited meanwhile. Pure. Spec: Sender (WTR2, source of funds).
 */
import { checkSender } from '../corridors/check-sender.ts';
import type { Details, PayoutCorridor, RecipientType } from '../corridors/corridor.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { missingFields } from '../senders/required.ts';
import type { Sender } from '../senders/sender.ts';

interface Paid {
  readonly corridor: PayoutCorridor | undefined;
  readonly type: RecipientType;
  readonly payoutDetails: Details;
}

/** Paths are relative to the sender. `wtr2`: the account may leave details of its senders out. */
export function senderDemands(sender: Sender, recipients: readonly Paid[], wtr2: boolean): Refusal[] {
  const lacking = recipients.flatMap(({ corridor, type, payoutDetails: details }) =>
    corridor ? checkSender(corridor, { type, details }, sender) : [],
  );
  const isTooFew = wtr2 && recipients.some(needsAllDetails) && lacksDetails(sender);
  return isTooFew ? [...lacking, refuse('wtr2_not_allowed')] : lacking;
}

export function needsAllDetails({ corridor }: Pick<Paid, 'corridor'>): boolean {
  return corridor?.wtr2Allowed === false;
}

function lacksDetails({ type, details }: Sender): boolean {
  return missingFields({ type, details, wtr2: false }).size > 0;
}
