/**
 * When a sender is checked: after its creation, and after a change of its identity. Pure. The checks themselves run
 * behind the calls (reviews/check-senders.ts). Spec: Sender states. Open points OP-102, OP-178, OP-179 and OP-223.
 */
import type { KycKind } from '../accounts/account.ts';
import type { Settings } from '../settings/shape.ts';
import { type CheckedSender, changesIdentity, type SenderTerms } from './check.ts';
import type { Sender, SenderDue } from './sender.ts';
import { CHECKED_ANEW } from './state-reasons.ts';
import { canTransact, type SenderState, senderTable } from './states.ts';

/** The operator's choices. */
export interface SenderPolicy {
  readonly screenWaived: boolean;
  readonly recheckOnEdit: boolean;
  readonly metadataRequired: boolean;
  /** There are sanction lists to ask. */
  readonly hasLists: boolean;
}

export function senderPolicy({ senders, screening }: Pick<Settings, 'senders' | 'screening'>): SenderPolicy {
  const { screenWaived, recheckOnEdit, metadataRequired } = senders;
  return { screenWaived, recheckOnEdit, metadataRequired, hasLists: screening.lists.length > 0 };
}

/** The states in which the lists are asked again: what was refused or deleted stays so whatever they say. */
export const SCREENED_STATES = ['initial', 'verified', 'approved'] as const satisfies readonly SenderState[];

export function isScreenedState(state: SenderState): boolean {
  return SCREENED_STATES.some((each) => each === state);
}

/** Whether sanction lists are asked about the senders of an account. */
export function isScreened(kyc: KycKind, { screenWaived }: Pick<SenderPolicy, 'screenWaived'>): boolean {
  return kyc !== 'waived' || screenWaived;
}

/** One that is approved at once is checked for the lists alone: without them it has nothing to wait for. */
export function dueAtCreation({ kyc }: SenderTerms, policy: SenderPolicy, at: Date): SenderDue | null {
  return isScreened(kyc, policy) && (kyc !== 'waived' || policy.hasLists) ? { at, for: 'created' } : null;
}

/**
 * It may transact, and the lists have not been asked about it as it is now: nothing of it is sent before they are, also
 * when the caller deletes it meanwhile. New lists stop nobody who has passed the earlier ones. Open point OP-223.
 */
export function awaitsLists({ state, disabledFrom, due }: Pick<Sender, 'state' | 'disabledFrom' | 'due'>): boolean {
  return (due?.for === 'created' || due?.for === 'edited') && canTransact(disabledFrom ?? state);
}

export interface Edit {
  readonly fields: Pick<CheckedSender, 'type' | 'details'>;
  readonly terms: SenderTerms;
  readonly policy: SenderPolicy;
  readonly at: Date;
}

/** What an edit makes of the state. Where KYC is waived a sender stays approved, unless the lists name it. */
export function afterEdit(before: Sender, edit: Edit): Pick<Sender, 'state' | 'stateReason' | 'due'> {
  const { state, stateReason, due } = before;
  const { kyc } = edit.terms;
  if (!isScreened(kyc, edit.policy) || !changesIdentity(before, edit.fields)) return { state, stateReason, due };
  const next = kyc !== 'waived' && edit.policy.recheckOnEdit ? senderTable.move(state, 'recheck') : undefined;
  const after = next ?? state;
  return {
    state: after,
    stateReason: next === undefined ? stateReason : CHECKED_ANEW,
    due: isScreenedState(after) ? { at: edit.at, for: 'edited' } : due,
  };
}
