/** The payin methods' SQL. The lock on a transaction covers its payin methods and their prompts. */
import type { UxFlow } from '../corridors/corridor.ts';
import { assert } from '../kernel/assert.ts';
import type { Queryable, Tx } from '../kernel/database.ts';
import { addRows, rowsOf } from '../storage/new-rows.ts';
import { accountIdsOf, byKeys, keyLists, onNodeOf } from '../storage/tenants.ts';
import type { PayinMethod, PayinMethodKey } from './payin-method.ts';
import type { CollectionReason } from './state-reason.ts';
import type { PayinMethodState } from './states.ts';

const COLUMNS = `m.account_id, m.payin_method_id, m.transaction_id, m.position, m.type, m.ux_flow, m.in_details, m.out_details,
  m.instructions, m.state, m.state_reason_details, m.provider, m.event_count, m.created_at, m.attempt_id,
  m.attempt_count, m.error_count, m.next_attempt_at, m.cancel_requested_at, m.otp_given, m.otp_rejected,
  m.is_claimed`;

type Bag = Record<string, unknown>;

/** States are a check constraint of the table; a test compares it with the state table. */
interface StoredMethod {
  account_id: string;
  payin_method_id: string;
  transaction_id: string;
  position: number;
  type: string;
  ux_flow: UxFlow;
  in_details: Bag;
  out_details: Bag;
  instructions: Bag;
  state: PayinMethodState;
  state_reason_details: CollectionReason | null;
  provider: string | null;
  event_count: number;
  created_at: Date;
  attempt_id: string | null;
  attempt_count: number;
  error_count: number;
  next_attempt_at: Date | null;
  cancel_requested_at: Date | null;
  otp_given: boolean;
  otp_rejected: boolean;
  is_claimed: boolean;
}

export interface OfTransaction {
  readonly accountId: string;
  readonly transactionId: string;
}

/** All payin methods of the transactions, each transaction's in their order. */
export async function readPayinMethodsOf(tx: Tx, transactions: readonly OfTransaction[]): Promise<PayinMethod[]> {
  if (transactions.length === 0) return [];
  const rows = await tx.query<StoredMethod>(
    `${byKeys({ columns: COLUMNS, from: 'payin_methods m', id: 'transaction_id' })}
     order by m.account_id, m.transaction_id, m.position`,
    keyLists(transactions, (key) => key.transactionId),
  );
  return rows.map(methodOf);
}

/** Which transactions these payin methods belong to. */
export async function findTransactionsOfPayins(
  db: Queryable,
  keys: readonly PayinMethodKey[],
): Promise<(PayinMethodKey & OfTransaction)[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<{ account_id: string; payin_method_id: string; transaction_id: string }>(
    byKeys({
      columns: 'm.account_id, m.payin_method_id, m.transaction_id',
      from: 'payin_methods m',
      id: 'payin_method_id',
    }),
    keyLists(keys, (key) => key.payinMethodId),
  );
  return rows.map((row) => ({
    accountId: row.account_id,
    payinMethodId: row.payin_method_id,
    transactionId: row.transaction_id,
  }));
}

const METHODS = rowsOf<PayinMethod>('payin_methods', {
  account_id: ['uuid', (m) => m.accountId],
  payin_method_id: ['uuid', (m) => m.payinMethodId],
  transaction_id: ['uuid', (m) => m.transactionId],
  position: ['smallint', (m) => m.position],
  type: ['text', (m) => m.type],
  created_at: ['timestamptz', (m) => m.createdAt],
  ux_flow: ['text', (m) => m.uxFlow],
  in_details: ['json', (m) => JSON.stringify(m.inDetails)],
  out_details: ['json', (m) => JSON.stringify(m.outDetails)],
  instructions: ['json', (m) => JSON.stringify(m.instructions)],
  state: ['text', (m) => m.state],
  state_reason_details: ['json', (m) => (m.stateReasonDetails === null ? null : JSON.stringify(m.stateReasonDetails))],
  provider: ['text', (m) => m.provider],
  event_count: ['integer', (m) => m.eventCount],
  attempt_id: ['uuid', (m) => m.attemptId],
  attempt_count: ['integer', (m) => m.attemptCount],
  error_count: ['integer', (m) => m.errorCount],
  next_attempt_at: ['timestamptz', (m) => m.nextAttemptAt],
  cancel_requested_at: ['timestamptz', (m) => m.cancelRequestedAt],
  otp_given: ['boolean', (m) => m.otpGiven],
  otp_rejected: ['boolean', (m) => m.otpRejected],
  is_claimed: ['boolean', (m) => m.isClaimed],
});

export function insertPayinMethods(tx: Tx, methods: readonly PayinMethod[]): Promise<void> {
  return addRows(tx, METHODS, methods);
}

/** Writes everything of a payin method that can change after its creation. */
export async function updatePayinMethods(tx: Tx, methods: readonly PayinMethod[]): Promise<void> {
  if (methods.length === 0) return;
  const updated = await tx.execute(
    `update payin_methods m
     set ux_flow = u.ux_flow, in_details = u.in_details::json, out_details = u.out_details::json,
       instructions = u.instructions::json, state = u.state,
       state_reason_details = u.state_reason_details::json, provider = u.provider, event_count = u.event_count,
       attempt_id = u.attempt_id, attempt_count = u.attempt_count, error_count = u.error_count,
       next_attempt_at = u.next_attempt_at, cancel_requested_at = u.cancel_requested_at,
       otp_given = u.otp_given, otp_rejected = u.otp_rejected, is_claimed = u.is_claimed
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::text[], $11::integer[], $12::uuid[], $13::integer[], $14::integer[], $15::timestamptz[],
         $16::timestamptz[], $17::boolean[], $18::boolean[], $19::boolean[])
       as u (account_id, payin_method_id, ux_flow, in_details, out_details, instructions, state,
         state_reason_details, provider, event_count, attempt_id, attempt_count, error_count, next_attempt_at,
         cancel_requested_at, otp_given, otp_rejected, is_claimed)
     where ${onNodeOf('m')} and m.account_id = u.account_id and m.payin_method_id = u.payin_method_id`,
    [
      accountIdsOf(methods),
      methods.map((m) => m.accountId),
      methods.map((m) => m.payinMethodId),
      ...changingOf(methods),
    ],
  );
  assert(updated === methods.length, 'every payin method that moved is stored');
}

/** What can change after the creation, in the order in which both statements take it. */
function changingOf(methods: readonly PayinMethod[]) {
  return [
    methods.map((m) => m.uxFlow),
    methods.map((m) => JSON.stringify(m.inDetails)),
    methods.map((m) => JSON.stringify(m.outDetails)),
    methods.map((m) => JSON.stringify(m.instructions)),
    methods.map((m) => m.state),
    methods.map((m) => (m.stateReasonDetails === null ? null : JSON.stringify(m.stateReasonDetails))),
    methods.map((m) => m.provider),
    methods.map((m) => m.eventCount),
    methods.map((m) => m.attemptId),
    methods.map((m) => m.attemptCount),
    methods.map((m) => m.errorCount),
    methods.map((m) => m.nextAttemptAt),
    methods.map((m) => m.cancelRequestedAt),
    methods.map((m) => m.otpGiven),
    methods.map((m) => m.otpRejected),
    methods.map((m) => m.isClaimed),
  ];
}

function methodOf(row: StoredMethod): PayinMethod {
  return {
    accountId: row.account_id,
    payinMethodId: row.payin_method_id,
    transactionId: row.transaction_id,
    position: row.position,
    type: row.type,
    uxFlow: row.ux_flow,
    inDetails: row.in_details,
    outDetails: row.out_details,
    instructions: row.instructions,
    state: row.state,
    stateReasonDetails: row.state_reason_details,
    provider: row.provider,
    eventCount: row.event_count,
    createdAt: row.created_at,
    attemptId: row.attempt_id,
    attemptCount: row.attempt_count,
    errorCount: row.error_count,
    nextAttemptAt: row.next_attempt_at,
    cancelRequestedAt: row.cancel_requested_at,
    otpGiven: row.otp_given,
    otpRejected: row.otp_rejected,
    isClaimed: row.is_claimed,
  };
}
