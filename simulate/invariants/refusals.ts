/**
 * A 422 is a promise: what was refused left nothing behind, now or ever. What was to be created is not there, nor a
 * sender that came with it; what was to be funded is not; what was to be edited is as it was before.
 */
import type { Stage } from '../stage.ts';
import { otherDetails } from './details.ts';
import { type Invariant, rowsOf } from './invariant.ts';

interface Trace {
  readonly what: string;
  /** Finds it by names as refused-names.ts writes them. */
  readonly query: string;
}

const named = (table: string, name: string) => `${table}.account_id::text || ' ' || ${name} = any($1::text[])`;

function tracesOf(type: 'transaction' | 'sender', table: string): Trace[] {
  return [
    { what: 'is there', query: `select o.external_id as name from ${table} o where ${named('o', 'o.external_id')}` },
    {
      what: 'has its external id',
      query: `select x.external_id as name from external_ids x
        where x.object_type = '${type}' and ${named('x', 'x.external_id')}`,
    },
    {
      what: 'has an event',
      query: `select e.event as name from events e
        where e.object_type = '${type}' and ${named('e', `(e.object::json ->> 'external_id')`)}`,
    },
  ];
}

const TRANSACTION_TRACES = tracesOf('transaction', 'transactions');
const SENDER_TRACES = tracesOf('sender', 'senders');

/** A collection is paid by its payer: of one that cannot be debited only a debit would be a trace. */
const ofPayout = (where: string) => `select t.external_id as name from transactions t
  where not t.is_collection and ${named('t', 't.transaction_id::text')} and ${where}`;

const DEBIT_TRACES: readonly Trace[] = [
  {
    what: 'was debited',
    query: `select d.transaction_id::text as name from debits d where ${named('d', 'd.transaction_id::text')}`,
  },
  { what: 'is funded', query: ofPayout('t.funded_at is not null') },
  {
    what: 'has moved money',
    query: ofPayout(`exists (select from ledger_transfers l
      where l.account_id = t.account_id and l.transaction_id = t.transaction_id)`),
  },
  {
    what: 'is told to be funded',
    query: ofPayout(`exists (select from events e
      where e.account_id = t.account_id and e.object_id = t.transaction_id and e.event = 'transaction.paid_in')`),
  },
];

function leftBehind({ world }: Stage, of: string, traces: readonly Trace[], names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return traces.flatMap(({ what, query }) =>
    rowsOf(world, query, [names]).map((row) => `${of} was refused, and ${row['name']} ${what}`),
  );
}

function changed({ world, promises }: Stage): string[] {
  return [
    ...otherDetails(world, 'recipient', promises.recipientDetails.all({ isRefused: true })),
    ...otherDetails(world, 'payin method', promises.payinDetails.all({ isRefused: true })),
    ...otherDetails(world, 'sender', promises.senderDetails.all({ isRefused: true })),
  ].map((what) => `an edit was refused, and changed ${what}`);
}

export const refusals: Invariant = {
  name: 'a refusal leaves nothing behind',
  often: (stage) => {
    const { refusedTransactions, refusedSenders, refusedDebits } = stage.promises;
    return [
      ...leftBehind(stage, 'a transaction', TRANSACTION_TRACES, refusedTransactions.all()),
      ...leftBehind(stage, 'a sender', SENDER_TRACES, refusedSenders.all()),
      ...leftBehind(stage, 'a debit', DEBIT_TRACES, refusedDebits.all()),
      ...changed(stage),
    ];
  },
};
