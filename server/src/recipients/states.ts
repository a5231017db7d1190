/**
 * Both tables of the recipient: its states and its moves. Spec: Recipient states. docs/interface.md shows the same
 * rows, and test/spec compares them cell by cell. What the specification does not show is ours. Open point OP-36.
 */
import { type AddedRow, CREATION, type StateRow, stateTable, type TransitionRow } from '../kernel/state-table.ts';

export const STATES = [
  { state: 'initial', meaning: 'nothing was sent yet; may be canceled' },
  { state: 'pending', meaning: 'sent to the provider, whose answer is outstanding; may not be canceled' },
  { state: 'success', meaning: 'the recipient has the money' },
  {
    state: 'error',
    meaning: 'the last attempt failed, state_reason says why; as a rule it is tried again; wait, edit or cancel',
  },
  { state: 'refunded', meaning: 'canceled on request, and its money is back' },
  { state: 'manual', meaning: 'failed too often and is not tried any more; edit it, cancel it or ask the operator' },
  { state: 'stuck', meaning: 'the provider stayed silent too long; nobody knows yet whether it was paid' },
  { state: 'overpaid', meaning: 'the recipient got more than was asked for; rare' },
  { state: 'canceled', meaning: 'will not be paid; money that was taken for it goes back' },
  { state: 'exception', meaning: 'something broke; ask the operator' },
] as const satisfies readonly StateRow[];

export type RecipientState = (typeof STATES)[number]['state'];

export const GROUPS = {
  /** Pending and stuck ones only when paid in cash, or once the provider confirms that the attempt failed. */
  'any cancellable': ['initial', 'pending', 'error', 'manual', 'stuck'],
} as const satisfies Record<string, readonly RecipientState[]>;

type From = RecipientState | keyof typeof GROUPS;

export const TRANSITIONS = [
  {
    move: 'start',
    from: ['initial'],
    trigger: 'payout started',
    condition: 'the transaction is funded',
    to: ['pending'],
  },
  { move: 'confirm', from: ['pending'], trigger: 'provider confirms', to: ['success'] },
  {
    move: 'fail',
    from: ['initial', 'pending'],
    trigger: 'provider error',
    to: ['error'],
    also: 'sends recipient.error; further attempts follow',
  },
  { move: 'give_up', from: ['error'], trigger: 'too many errors', to: ['manual'] },
  {
    move: 'cancel',
    from: ['any cancellable'],
    trigger: 'DELETE recipient',
    condition: 'may_cancel is true, or it is paid in cash, or the provider confirms that the attempt failed',
    to: ['canceled', 'refunded'],
    also: 'the second step only where the transaction was funded',
  },
] as const satisfies readonly TransitionRow<From, RecipientState>[];

export const ADDED_TRANSITIONS = [
  {
    move: 'create',
    from: [CREATION],
    trigger: 'transaction creation',
    to: ['initial'],
    openPoint: 'OP-36',
  },
  {
    move: 'retry',
    from: ['error'],
    trigger: 'next attempt',
    condition: 'its time has come, or the details were edited',
    to: ['pending'],
    openPoint: 'OP-36',
  },
  {
    move: 'retry',
    from: ['manual'],
    trigger: 'next attempt',
    condition: 'the details were edited, or an operator asks for it',
    to: ['pending'],
    openPoint: 'OP-36',
  },
  {
    move: 'fail',
    from: ['error', 'manual'],
    trigger: 'account check fails',
    condition: 'the check before the next attempt',
    to: ['error'],
    also: 'sends recipient.error again; failures to reach the check do not count towards manual',
    openPoint: 'OP-36',
  },
  {
    move: 'fail',
    from: ['stuck'],
    trigger: 'provider error',
    condition: 'the late answer says that nothing was paid',
    to: ['error'],
    also: 'sends recipient.error',
    openPoint: 'OP-36',
  },
  {
    move: 'lose_touch',
    from: ['pending'],
    trigger: 'time',
    condition: 'no answer within the time set for it',
    to: ['stuck'],
    also: 'the provider is asked on; no new attempt is made',
    openPoint: 'OP-96',
  },
  {
    move: 'confirm',
    from: ['stuck', 'error', 'manual'],
    trigger: 'provider confirms',
    condition: 'late, or after it had reported an error',
    to: ['success'],
    also: 'no further attempt is made',
    openPoint: 'OP-36',
  },
  {
    move: 'overpay',
    from: ['pending', 'stuck', 'error', 'manual', 'success'],
    trigger: 'provider confirms',
    condition: 'more than the output amount was paid, in one attempt or in two',
    to: ['overpaid'],
    also: 'the excess is a loss of the service, not of the account',
    openPoint: 'OP-36',
  },
  {
    move: 'auto_refund',
    from: ['any cancellable'],
    trigger: 'automatic cancellation',
    condition: 'as for the transaction; a pending or stuck one only once the provider confirms that the attempt failed',
    to: ['canceled', 'refunded'],
    openPoint: 'OP-36',
  },
  {
    move: 'expire',
    from: ['initial'],
    trigger: 'time',
    condition: 'its transaction was not funded within the hour',
    to: ['canceled'],
    openPoint: 'OP-36',
  },
  {
    move: 'contradict',
    from: ['success', 'overpaid', 'canceled', 'refunded'],
    trigger: 'provider takes back its word',
    condition: 'paid after it was refunded, or failed after it was confirmed',
    to: ['exception'],
    also: 'the balance is not debited again; operators are told',
    openPoint: 'OP-36',
  },
  {
    move: 'break',
    from: ['any cancellable'],
    trigger: 'broken invariant',
    condition: 'while an answer is recorded',
    to: ['exception'],
    also: 'the work stops; operators are told',
    openPoint: 'OP-36',
  },
  {
    move: 'settle_paid',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'the recipient has the money',
    to: ['success'],
    openPoint: 'OP-36',
  },
  {
    move: 'hand_back',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'the recipient has no money and may be tried again',
    to: ['manual'],
    openPoint: 'OP-36',
  },
  {
    move: 'give_back',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'the recipient has no money, or only a part of it for good, and the rest is still held',
    to: ['canceled', 'refunded'],
    openPoint: 'OP-36',
  },
] as const satisfies readonly AddedRow<From, RecipientState>[];

export const recipientTable = stateTable({
  of: 'recipient',
  states: STATES,
  groups: GROUPS,
  transitions: TRANSITIONS,
  added: ADDED_TRANSITIONS,
});

export type RecipientMove = (typeof recipientTable)['steps'][number]['move'];
