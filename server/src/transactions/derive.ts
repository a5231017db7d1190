/**
 * The state of a transaction from those of its recipients: one table, the first rule that matches wins; and the events
 * that its moves send. Spec: Transaction states, Events. Open point OP-35.
 */
import { assert, present } from '../kernel/assert.ts';
import type { RecipientState } from '../recipients/states.ts';
import type { EventName } from '../webhooks/events.ts';
import type { TransactionMove, TransactionState } from './states.ts';

interface Rule {
  readonly when: string;
  readonly matches: (recipients: readonly RecipientState[]) => boolean;
  /** The move to make; null: the state stays as it is. */
  readonly move: TransactionMove | null;
}

const any =
  (...states: readonly RecipientState[]) =>
  (recipients: readonly RecipientState[]) =>
    recipients.some((state) => states.includes(state));
const all =
  (...states: readonly RecipientState[]) =>
  (recipients: readonly RecipientState[]) =>
    recipients.every((state) => states.includes(state));

const RULES = [
  { when: 'any recipient is exception', matches: any('exception'), move: 'break' },
  { when: 'any recipient is manual or stuck', matches: any('manual', 'stuck'), move: 'stall' },
  { when: 'any recipient is initial, pending or error', matches: any('initial', 'pending', 'error'), move: null },
  { when: 'all recipients are canceled', matches: all('canceled'), move: 'cancel' },
  { when: 'all recipients are success or overpaid', matches: all('success', 'overpaid'), move: 'pay' },
  { when: 'otherwise', matches: () => true, move: 'refund' },
] as const satisfies readonly Rule[];

/**
 * The move that follows from the recipients, or undefined: the state stays. What is finished stays finished, whatever
 * a provider says later about one of its recipients; a canceled transaction only goes on to refunded; an exception is
 * left by an operator's decision alone, and so is a review while anything is open.
 */
export function deriveMove(
  current: TransactionState,
  recipients: readonly RecipientState[],
): TransactionMove | undefined {
  assert(recipients.length > 0, 'a transaction has recipients');
  if (current === 'paid' || current === 'refunded' || current === 'exception') return undefined;
  const rule = present(
    RULES.find((candidate) => candidate.matches(recipients)),
    'the last rule matches everything',
  );
  if (current === 'canceled') return rule.move === 'refund' ? 'refund' : undefined;
  if (rule.move === null) return undefined;
  if (rule.move === 'stall' && current === 'manual') return undefined;
  // Open point OP-202. No hold is hidden by what becomes of a recipient: it ends by a decision, or with the last one.
  if (current === 'processing' && (rule.move === 'stall' || rule.move === 'break')) return undefined;
  // Before funding there is no money to return: the transaction ends with `canceled`, and says so.
  if (rule.move === 'cancel' && (current === 'initial' || current === 'approved')) return 'close';
  return rule.move;
}

interface MoveEvent {
  readonly event: Extract<EventName, `transaction.${string}`>;
  /** For a row of several steps: the state on whose arrival the event is sent. */
  readonly to?: TransactionState;
  readonly onlyCollections?: true;
}

/** One row for each move, in the order of the state table. `refunded` and `paid` are final, so each is sent once. */
export const MOVE_EVENTS = {
  create_approved: { event: 'transaction.created' },
  create_waiting: { event: 'transaction.created' },
  expire: { event: 'transaction.canceled', onlyCollections: true },
  fund: { event: 'transaction.paid_in' },
  mispay: { event: 'transaction.mispaid' },
  pay: { event: 'transaction.paid_out' },
  auto_refund: { event: 'transaction.refunded', to: 'refunded' },
  refund: { event: 'transaction.refunded' },
  approve: null,
  clear: null,
  receive: { event: 'transaction.paid_in' },
  bounce: null,
  bounce_late: { event: 'transaction.canceled' },
  hold: null,
  release: null,
  stall: null,
  resume: null,
  close: { event: 'transaction.canceled' },
  cancel: null,
  break: null,
  resolve: null,
  abandon: { event: 'transaction.canceled', onlyCollections: true },
} as const satisfies Readonly<Record<TransactionMove, MoveEvent | null>>;

/** The event that a step of a transaction sends, if it sends one. */
export function eventOfMove(
  step: { readonly move: TransactionMove; readonly to: TransactionState },
  isCollection: boolean,
): MoveEvent['event'] | undefined {
  const row: MoveEvent | null = MOVE_EVENTS[step.move];
  if (row === null) return undefined;
  if (row.onlyCollections && !isCollection) return undefined;
  if (row.to !== undefined && row.to !== step.to) return undefined;
  return row.event;
}
