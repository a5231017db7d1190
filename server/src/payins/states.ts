/**
 * Both tables of the payin method. The specification shows neither its states nor its moves: the states, and the way of
 * a one-time code, are published; the other moves are ours. Open point OP-19.
 */
import { type AddedRow, CREATION, type StateRow, stateTable } from '../kernel/state-table.ts';

export const STATES = [
  { state: 'incomplete', meaning: 'a detail is missing, for example the one-time code' },
  { state: 'initial', meaning: 'complete; the payer is about to be prompted' },
  { state: 'pending', meaning: 'the payer was prompted and has not paid yet' },
  { state: 'success', meaning: 'the money is here' },
  { state: 'processing', meaning: 'the payer has paid; the confirmation is outstanding' },
  { state: 'error', meaning: 'the attempt failed; edit or retry it' },
  { state: 'mispaid', meaning: 'another amount came in than was asked for' },
  { state: 'canceled', meaning: 'takes no more money; what still comes goes back' },
  { state: 'refunded', meaning: 'its money went back to the payer' },
  { state: 'exception', meaning: 'something broke; ask the operator' },
] as const satisfies readonly StateRow[];

export type PayinMethodState = (typeof STATES)[number]['state'];

export const GROUPS = {
  /** What a caller, or the end of the hour, may still stop. */
  unpaid: ['incomplete', 'initial', 'pending', 'error'],
} as const satisfies Record<string, readonly PayinMethodState[]>;

type From = PayinMethodState | keyof typeof GROUPS;

export const ADDED_TRANSITIONS = [
  { move: 'create', from: [CREATION], trigger: 'transaction creation', to: ['initial'], openPoint: 'OP-19' },
  {
    move: 'ask',
    from: ['initial'],
    trigger: 'payer gets a one-time code',
    condition: 'the flow needs one',
    to: ['incomplete'],
    also: 'sends payin_method.incomplete, code 23',
    openPoint: 'OP-19',
  },
  {
    move: 'prompt',
    from: ['initial', 'incomplete'],
    trigger: 'payer prompted',
    condition: 'an incomplete one only with its one-time code',
    to: ['pending'],
    also: 'sends payin_method.pending',
    openPoint: 'OP-19',
  },
  {
    move: 'process',
    from: ['pending'],
    trigger: 'provider has the money',
    condition: 'it still has to confirm it',
    to: ['processing'],
    also: 'sends payin_method.processing; the transaction becomes pending',
    openPoint: 'OP-19',
  },
  {
    move: 'succeed',
    from: ['pending', 'processing', 'mispaid'],
    trigger: 'provider confirms',
    condition: 'the payins add up to the amount asked for',
    to: ['success'],
    also: 'sends payin_method.paid_in',
    openPoint: 'OP-19',
  },
  {
    move: 'mispay',
    from: ['pending', 'processing', 'mispaid'],
    trigger: 'provider confirms',
    condition: 'another amount, where the payin type allows it',
    to: ['mispaid'],
    also: 'sends payin_method.mispaid',
    openPoint: 'OP-19',
  },
  {
    move: 'fail',
    from: ['incomplete', 'initial', 'pending', 'processing'],
    trigger: 'provider error',
    to: ['error'],
    also: 'sends payin_method.error',
    openPoint: 'OP-19',
  },
  {
    move: 'retry',
    from: ['error'],
    trigger: 'retry or edit by the caller, or time',
    condition: 'within the hour; by itself after a temporary error',
    to: ['initial'],
    openPoint: 'OP-19',
  },
  {
    move: 'cancel',
    from: ['unpaid'],
    trigger: 'DELETE payin method, or time',
    condition: 'deleted: an open prompt is canceled at the provider first; at the end of the hour: afterwards',
    to: ['canceled'],
    also: 'sends payin_method.canceled; a later success goes to suspense',
    openPoint: 'OP-19',
  },
  {
    move: 'refund',
    from: ['success', 'mispaid', 'canceled'],
    trigger: 'decision of an operator',
    condition: 'its money was returned to the payer',
    to: ['refunded'],
    also: 'sends payin_method.refunded',
    openPoint: 'OP-19',
  },
  {
    move: 'break',
    from: ['unpaid', 'processing', 'mispaid'],
    trigger: 'broken invariant',
    condition: 'while an answer is recorded',
    to: ['exception'],
    also: 'sends payin_method.exception; operators are told',
    openPoint: 'OP-19',
  },
  {
    move: 'settle_paid',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'the money is here',
    to: ['success'],
    also: 'sends payin_method.paid_in',
    openPoint: 'OP-19',
  },
  {
    move: 'abandon',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'no money came, or it belongs elsewhere',
    to: ['canceled'],
    also: 'sends payin_method.canceled',
    openPoint: 'OP-19',
  },
] as const satisfies readonly AddedRow<From, PayinMethodState>[];

export const payinMethodTable = stateTable({
  of: 'payin method',
  states: STATES,
  groups: GROUPS,
  transitions: [],
  added: ADDED_TRANSITIONS,
});

export type PayinMethodMove = (typeof payinMethodTable)['steps'][number]['move'];
