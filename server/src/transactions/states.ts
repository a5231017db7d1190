/**
 * Both tables of the transaction: its states and its moves. Spec: Transaction states. docs/interface.md shows the same
 * rows, and test/spec compares them cell by cell. What the specification does not show is ours. Open point OP-35.
 */
import { type AddedRow, CREATION, type StateRow, stateTable, type TransitionRow } from '../kernel/state-table.ts';

export const STATES = [
  { state: 'initial', meaning: 'created; takes no money until its sender is approved' },
  { state: 'approved', meaning: 'created with an approved sender; can be funded' },
  { state: 'pending', meaning: 'the payer has paid, the money has not cleared yet' },
  { state: 'processing', meaning: 'held by a compliance review' },
  { state: 'received', meaning: 'the right amount is here; payouts go out' },
  { state: 'mispaid', meaning: 'another amount came in than was asked for; what came is the amount paid out' },
  { state: 'manual', meaning: 'some recipients cannot be paid without help; their own states tell more' },
  { state: 'paid', meaning: 'paid in rightly and every recipient is paid; finished' },
  { state: 'canceled', meaning: 'not funded within its hour, or canceled by the caller before anybody was paid' },
  { state: 'refunded', meaning: 'canceled after funding; all or part of the money went back to payer or balance' },
  { state: 'exception', meaning: 'something broke on the way; operators resolve it' },
] as const satisfies readonly StateRow[];

export type TransactionState = (typeof STATES)[number]['state'];

export const GROUPS = {
  funded: ['pending', 'processing', 'received', 'mispaid', 'manual'],
} as const satisfies Record<string, readonly TransactionState[]>;

type From = TransactionState | keyof typeof GROUPS;

export const TRANSITIONS = [
  {
    move: 'create_approved',
    from: [CREATION],
    trigger: 'POST /v1/transactions',
    condition: 'the sender is approved',
    to: ['approved'],
  },
  {
    move: 'create_waiting',
    from: [CREATION],
    trigger: 'POST /v1/transactions',
    condition: 'the sender is not approved',
    to: ['initial'],
  },
  {
    move: 'expire',
    from: ['initial', 'approved'],
    trigger: 'time',
    condition: 'an hour has passed since creation and no money came',
    to: ['canceled'],
    also: 'a collection sends transaction.canceled',
  },
  {
    move: 'fund',
    from: ['approved'],
    trigger: 'funding succeeds (debit or create_and_fund)',
    condition: 'the balance is large enough; currency and amount, where given, agree',
    to: ['received'],
    also: 'sends transaction.paid_in; payouts start at once',
    openPoint: 'OP-34',
  },
  {
    move: 'mispay',
    from: ['funded'],
    trigger: 'payin with a different amount',
    condition: 'the payin type allows it, and no payout has begun',
    to: ['mispaid'],
    also: 'sends transaction.mispaid',
  },
  {
    move: 'pay',
    from: ['funded'],
    trigger: 'all recipients paid',
    to: ['paid'],
    also: 'sends transaction.paid_out; the money of a collection is in the balance',
  },
  {
    move: 'auto_refund',
    from: ['funded'],
    trigger: 'automatic cancellation',
    condition:
      'auto_refund is true and no recipient was paid in the 24 hours after funding; a payout under way is awaited first',
    to: ['canceled', 'refunded'],
    also: 'what came from the balance returns to it; sends transaction.refunded',
  },
  {
    move: 'refund',
    from: ['funded'],
    trigger: 'DELETE on a recipient',
    condition: 'the cancellation goes through and no recipient is open any more',
    to: ['refunded'],
    also: 'may come after the answer; money returns to the balance; sends transaction.refunded',
  },
] as const satisfies readonly TransitionRow<From, TransactionState>[];

export const ADDED_TRANSITIONS = [
  {
    move: 'approve',
    from: ['initial'],
    trigger: 'sender approved',
    condition: 'within the hour, which does not start anew',
    to: ['approved'],
    openPoint: 'OP-35',
  },
  {
    move: 'clear',
    from: ['approved'],
    trigger: 'payin processing',
    to: ['pending'],
    also: 'does not expire while it clears',
    openPoint: 'OP-35',
  },
  {
    move: 'receive',
    from: ['approved', 'pending', 'mispaid'],
    trigger: 'payin succeeds',
    condition: 'the payins add up to the input amount, and no payout has begun',
    to: ['received'],
    also: 'sends transaction.paid_in',
    openPoint: 'OP-35',
  },
  {
    move: 'mispay',
    from: ['approved'],
    trigger: 'payin with a different amount',
    condition: 'the payin type allows it',
    to: ['mispaid'],
    also: 'sends transaction.mispaid in place of transaction.paid_in',
    openPoint: 'OP-35',
  },
  {
    move: 'bounce',
    from: ['pending'],
    trigger: 'payin fails',
    condition: 'within the hour',
    to: ['approved'],
    also: 'the payin may be tried again',
    openPoint: 'OP-35',
  },
  {
    move: 'bounce_late',
    from: ['pending'],
    trigger: 'payin fails',
    condition: 'the hour is over',
    to: ['canceled'],
    also: 'sends transaction.canceled',
    openPoint: 'OP-35',
  },
  {
    move: 'hold',
    from: ['received', 'mispaid', 'manual'],
    trigger: 'compliance hold',
    condition: 'the sender or the payment has to be reviewed',
    to: ['processing'],
    also: 'payouts that were not sent wait; it stays so whatever becomes of those that were',
    openPoint: 'OP-35',
  },
  {
    move: 'release',
    from: ['processing'],
    trigger: 'compliance release',
    condition: 'nothing holds it any more',
    to: ['received'],
    also: 'payouts go on; the recipients then decide the state',
    openPoint: 'OP-35',
  },
  {
    move: 'stall',
    from: ['pending', 'received', 'mispaid'],
    trigger: 'a recipient becomes manual or stuck',
    to: ['manual'],
    openPoint: 'OP-35',
  },
  {
    move: 'resume',
    from: ['manual'],
    trigger: 'a recipient is edited or tried again',
    condition: 'no recipient is left manual or stuck',
    to: ['received'],
    openPoint: 'OP-35',
  },
  {
    move: 'close',
    from: ['initial', 'approved'],
    trigger: 'DELETE on a recipient',
    condition: 'all recipients are canceled',
    to: ['canceled'],
    also: 'sends transaction.canceled',
    openPoint: 'OP-35',
  },
  {
    move: 'cancel',
    from: ['funded'],
    trigger: 'DELETE on a recipient',
    condition: 'all recipients are canceled and their money is not back yet',
    to: ['canceled'],
    also: 'sends nothing: refunded follows',
    openPoint: 'OP-35',
  },
  {
    move: 'refund',
    from: ['canceled'],
    trigger: 'money is back',
    condition: 'it was funded',
    to: ['refunded'],
    also: 'sends transaction.refunded',
    openPoint: 'OP-35',
  },
  {
    move: 'break',
    from: ['approved', 'funded'],
    trigger: 'broken invariant',
    condition: 'while an answer is recorded, or a recipient is in exception',
    to: ['exception'],
    also: 'the work stops; operators are told',
    openPoint: 'OP-35',
  },
  {
    move: 'resolve',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'its money is here; the recipients then decide the state',
    to: ['received'],
    openPoint: 'OP-35',
  },
  {
    move: 'abandon',
    from: ['exception'],
    trigger: 'decision of an operator',
    condition: 'it holds no money',
    to: ['canceled'],
    also: 'a collection sends transaction.canceled',
    openPoint: 'OP-35',
  },
] as const satisfies readonly AddedRow<From, TransactionState>[];

export const transactionTable = stateTable({
  of: 'transaction',
  states: STATES,
  groups: GROUPS,
  transitions: TRANSITIONS,
  added: ADDED_TRANSITIONS,
});

export type TransactionMove = (typeof transactionTable)['steps'][number]['move'];
