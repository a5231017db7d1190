/**
 * The event table. Spec: Events. docs/interface.md shows the same rows, and test/spec compares them cell by cell. Each
 * event is sent as `{webhook, event, object}` with the whole object as it was at that moment.
 */

export interface EventRow {
  readonly event: `${ObjectName}.${string}`;
  readonly object: ObjectName;
  readonly emittedWhen: string;
}

/** An event, or a further occasion of one, that the specification does not list. */
export interface FurtherEventRow extends EventRow {
  readonly openPoint: `OP-${number}`;
}

type ObjectName = 'transaction' | 'recipient' | 'payin_method' | 'sender';

export const EVENTS = [
  {
    event: 'transaction.paid_out',
    object: 'transaction',
    emittedWhen: 'every recipient of a payout is paid; the money of a collection is in the balance',
  },
  {
    event: 'transaction.refunded',
    object: 'transaction',
    emittedWhen: 'it was canceled when funded and money is back',
  },
  {
    event: 'transaction.canceled',
    object: 'transaction',
    emittedWhen: 'the payer of a collection did not pay in time',
  },
  { event: 'transaction.paid_in', object: 'transaction', emittedWhen: 'the payer of a collection has paid' },
  {
    event: 'transaction.mispaid',
    object: 'transaction',
    emittedWhen: 'the payer of a collection has paid another amount',
  },
  {
    event: 'recipient.error',
    object: 'recipient',
    emittedWhen: 'a recipient enters error, each time; state_reason says why',
  },
  { event: 'payin_method.error', object: 'payin_method', emittedWhen: 'an attempt to collect failed' },
  { event: 'sender.approved', object: 'sender', emittedWhen: 'a sender may transact from now on' },
  { event: 'sender.rejected', object: 'sender', emittedWhen: 'something is wrong with a sender' },
] as const satisfies readonly EventRow[];

export const FURTHER_EVENTS = [
  { event: 'transaction.created', object: 'transaction', emittedWhen: 'it is created', openPoint: 'OP-71' },
  {
    event: 'transaction.paid_in',
    object: 'transaction',
    emittedWhen: 'also when a payout is funded from the balance',
    openPoint: 'OP-34',
  },
  {
    event: 'transaction.canceled',
    object: 'transaction',
    emittedWhen: 'also when its recipients are canceled before it is funded',
    openPoint: 'OP-35',
  },
  {
    event: 'recipient.pending',
    object: 'recipient',
    emittedWhen: 'cash is ready for pickup; metadata.payment_reference names it',
    openPoint: 'OP-71',
  },
  {
    event: 'payin_method.incomplete',
    object: 'payin_method',
    emittedWhen: 'the one-time code of the payer is awaited',
    openPoint: 'OP-71',
  },
  { event: 'payin_method.pending', object: 'payin_method', emittedWhen: 'the payer was prompted', openPoint: 'OP-71' },
  {
    event: 'payin_method.processing',
    object: 'payin_method',
    emittedWhen: 'the payer has paid, the confirmation is outstanding',
    openPoint: 'OP-71',
  },
  { event: 'payin_method.paid_in', object: 'payin_method', emittedWhen: 'its money is here', openPoint: 'OP-71' },
  { event: 'payin_method.refunded', object: 'payin_method', emittedWhen: 'its money went back', openPoint: 'OP-71' },
  { event: 'payin_method.canceled', object: 'payin_method', emittedWhen: 'it takes no more money', openPoint: 'OP-71' },
  { event: 'payin_method.mispaid', object: 'payin_method', emittedWhen: 'another amount came in', openPoint: 'OP-71' },
  { event: 'payin_method.exception', object: 'payin_method', emittedWhen: 'something broke', openPoint: 'OP-71' },
  {
    event: 'sender.rejected',
    object: 'sender',
    emittedWhen: 'also when an administrator bans a sender',
    openPoint: 'OP-103',
  },
] as const satisfies readonly FurtherEventRow[];

export type EventName = (typeof EVENTS | typeof FURTHER_EVENTS)[number]['event'];

/** Every name once, the specification's first: what is sent, and what the service names. */
export const EVENT_NAMES: readonly EventName[] = [
  ...new Set<EventName>([...EVENTS, ...FURTHER_EVENTS].map((row) => row.event)),
];

/**
 * Published without an occasion, and never sent. A client whose list has one keeps its other events. Open point OP-216.
 */
const UNSENT_EVENT_NAMES = ['transaction.error', 'transaction.paid'] as const;

export type SubscribableName = EventName | (typeof UNSENT_EVENT_NAMES)[number];

/** What a webhook may ask for, in this order. */
export const SUBSCRIBABLE_NAMES: readonly SubscribableName[] = [...EVENT_NAMES, ...UNSENT_EVENT_NAMES];

export function isSubscribable(name: unknown): name is SubscribableName {
  return SUBSCRIBABLE_NAMES.some((known) => known === name);
}
