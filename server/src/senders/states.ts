/**
 * Both tables of the sender: its states and its moves. Spec: Sender states. docs/interface.md shows the same rows, and
 * test/spec compares them cell by cell.
 */
import { type AddedRow, CREATION, type StateRow, stateTable, type TransitionRow } from '../kernel/state-table.ts';

interface SenderStateRow extends StateRow {
  readonly canTransact: boolean;
}

export const STATES = [
  { state: 'initial', meaning: 'new, or to be checked anew; no check has passed yet', canTransact: false },
  { state: 'verified', meaning: 'is on no sanction list; the identity is still open', canTransact: false },
  { state: 'approved', meaning: 'sanction lists and identity are both in order', canTransact: true },
  { state: 'banned', meaning: 'shut out by an administrator', canTransact: false },
  { state: 'rejected', meaning: 'did not pass the sanction lists or the review', canTransact: false },
  { state: 'disabled', meaning: 'deleted by the caller', canTransact: false },
] as const satisfies readonly SenderStateRow[];

export type SenderState = (typeof STATES)[number]['state'];

export const GROUPS = {
  any: ['initial', 'verified', 'approved', 'banned', 'rejected', 'disabled'],
} as const satisfies Record<string, readonly SenderState[]>;

type From = SenderState | keyof typeof GROUPS;

export const TRANSITIONS = [
  {
    move: 'create_waived',
    from: [CREATION],
    trigger: 'sender creation',
    condition: 'the account needs no KYC',
    to: ['approved'],
    also: 'can transact from then on',
    // The published pages disagree on this state; the specification settles it. Open point OP-33.
    openPoint: 'OP-33',
  },
  {
    move: 'create',
    from: [CREATION],
    trigger: 'sender creation',
    condition: 'the account needs KYC',
    to: ['initial'],
    also: 'the outcome is told by sender.approved or sender.rejected',
  },
  { move: 'disable', from: ['any'], trigger: 'delete request through API', to: ['disabled'] },
] as const satisfies readonly TransitionRow<From, SenderState>[];

export const ADDED_TRANSITIONS = [
  {
    move: 'verify',
    from: ['initial'],
    trigger: 'screening',
    condition: 'no sanction list names the sender, or an operator cleared the match',
    to: ['verified'],
    openPoint: 'OP-32',
  },
  {
    move: 'approve',
    from: ['verified'],
    trigger: 'identity check',
    condition: 'the identity is accepted, by rule or by an operator',
    to: ['approved'],
    also: 'sends sender.approved; transactions that waited for it become approved',
    openPoint: 'OP-32',
  },
  {
    move: 'reject',
    from: ['initial', 'verified'],
    trigger: 'screening or review',
    condition: 'a match is confirmed, or an operator refuses the identity',
    to: ['rejected'],
    also: 'sends sender.rejected',
    openPoint: 'OP-32',
  },
  {
    move: 'recheck',
    from: ['verified', 'approved'],
    trigger: 'screening again',
    condition: 'a sanction list now names the sender',
    to: ['initial'],
    also: 'state_reason says so and a review is opened; payouts that were not sent wait in processing',
    openPoint: 'OP-102',
  },
  {
    move: 'recheck',
    from: ['verified', 'approved', 'rejected'],
    trigger: 'sender update',
    condition: 'a field of the identity changed and the account checks its senders',
    to: ['initial'],
    also: 'state_reason says so; all checks run again',
    openPoint: 'OP-102',
  },
  {
    move: 'ban',
    from: ['initial', 'verified', 'approved', 'rejected'],
    trigger: 'decision of an administrator',
    to: ['banned'],
    also: 'sends sender.rejected',
    openPoint: 'OP-103',
  },
  {
    move: 'lift',
    from: ['banned', 'rejected'],
    trigger: 'decision of an administrator',
    condition: 'the ban or the rejection was a mistake',
    to: ['initial'],
    also: 'all checks run again',
    openPoint: 'OP-32',
  },
] as const satisfies readonly AddedRow<From, SenderState>[];

export const senderTable = stateTable({
  of: 'sender',
  states: STATES,
  groups: GROUPS,
  transitions: TRANSITIONS,
  added: ADDED_TRANSITIONS,
});

export type SenderMove = (typeof senderTable)['steps'][number]['move'];

/** Whether a transaction of this sender may be funded. */
export function canTransact(state: SenderState): boolean {
  return STATES.some((row) => row.state === state && row.canTransact);
}
