/**
 * What a corridor asks of the sender: identification, source of funds, address and the like. Requirements that are
 * only announced (`enforced` false) are not checked. Paths are relative to the sender. Codes: blank, not_in_list.
 * Spec: Sender (source of funds, WTR2). Open points OP-6, OP-7.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank } from '../kernel/storable.ts';
import type { Details, PayoutCorridor, RecipientType } from './corridor.ts';
import { holds } from './rule.ts';

interface CheckedRecipient {
  readonly type: RecipientType;
  readonly details: Details;
}

export interface CheckedSender {
  readonly type: RecipientType;
  /** The sender's fields by their names in the API. */
  readonly details: Details;
}

export function checkSender(corridor: PayoutCorridor, recipient: CheckedRecipient, sender: CheckedSender): Refusal[] {
  const refusals: Refusal[] = [];
  if (!corridor.senderTypes[recipient.type].includes(sender.type)) refusals.push(refuse('not_in_list', 'type'));
  const scope = corridor.rules(recipient.type).scopeOf(recipient.details);
  for (const { field, senders, options, when, enforced } of corridor.senderRequirements) {
    if (!enforced || (senders !== 'any' && senders !== sender.type)) continue;
    if (when !== undefined && !holds(when, scope)) continue;
    const value = sender.details[field];
    if (isBlank(value)) refusals.push(refuse('blank', field));
    else if (options !== undefined && !(typeof value === 'string' && options.has(value))) {
      refusals.push(refuse('not_in_list', field));
    }
  }
  return refusals;
}
