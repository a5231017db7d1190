/** The SQL of the list of what needs people. It goes along the partial index, so that it costs what it shows. */
import type { Queryable } from '../kernel/database.ts';
import type { TransactionKey } from './transaction.ts';

export interface AttentionQuery {
  readonly recipientStates: readonly string[];
  /** Of transactions as a whole. */
  readonly wholeStates: readonly string[];
  /** Also collections that their provider does not confirm. */
  readonly unconfirmed: boolean;
  /** Also transactions as a whole that are in none of these; null: not those. */
  readonly otherThan: { readonly recipientStates: readonly string[]; readonly wholeStates: readonly string[] } | null;
  readonly accountId: string | null;
  /** Behind this item. */
  readonly after: { readonly since: Date; readonly transactionId: string; readonly position: number } | null;
  readonly limit: number;
}

export interface AttentionRow {
  readonly since: Date;
  readonly accountId: string;
  readonly accountName: string;
  readonly transactionId: string;
  readonly externalId: string | null;
  readonly transactionState: string;
  readonly inputAmount: bigint;
  readonly paidAmount: bigint;
  readonly inputCurrency: string;
  /** Why it is where it is, as its caller is told. */
  readonly stateReason: string | null;
  /** It waits for its provider to confirm the payment. */
  readonly isUnconfirmed: boolean;
  /** Why it is under review; null: it is not. */
  readonly heldFor: string | null;
  /** Its place among the recipients; below them for a transaction as a whole. */
  readonly position: number;
  /** Null: the transaction as a whole. */
  readonly recipient: RecipientForPeople | null;
}

interface RecipientForPeople {
  readonly recipientId: string;
  readonly state: string;
  readonly reason: string | null;
  readonly code: string | null;
  readonly payoutType: string;
  readonly provider: string | null;
  readonly inputAmount: bigint;
  readonly outputAmount: bigint;
  readonly outputCurrency: string;
  readonly attempts: number;
  readonly errors: number;
  readonly lastAttemptAt: Date | null;
  readonly heardAt: Date | null;
  readonly cancelRequestedAt: Date | null;
}

/** Needed by people after its hour; before, it is there for another reason: the work on it was put off. */
const UNCONFIRMED = `(t.state = 'pending' and t.attention_at >= t.expires_at)`;
const WHOLE_TRANSACTION = -1;
const NEVER = new Date(0);
const NO_ID = '00000000-0000-0000-0000-000000000000';

interface StoredAttention {
  attention_at: Date;
  account_id: string;
  name: string;
  transaction_id: string;
  external_id: string | null;
  transaction_state: string;
  input_amount: bigint;
  paid_amount: bigint;
  input_currency: string;
  state_reason: string | null;
  is_unconfirmed: boolean;
  held_for: string | null;
  position: number;
  recipient_id: string | null;
  state: string;
  reason: string | null;
  code: string | null;
  payout_type: string;
  provider: string | null;
  part: bigint;
  output_amount: bigint;
  output_currency: string;
  attempt_count: number;
  error_count: number;
  started_at: Date | null;
  heard_at: Date | null;
  cancel_requested_at: Date | null;
}

/** Which transactions: all, those of an account, or one. */
const OF_ANY = '($7::uuid is null or t.account_id = $7::uuid)';
const OF_ONE = '(t.account_id = $7::uuid and t.transaction_id = $12::uuid)';

function statementFor(which: typeof OF_ANY | typeof OF_ONE): string {
  return `select t.attention_at, t.account_id, a.name, t.transaction_id, t.external_id, t.state as transaction_state,
       t.state_reason, t.input_amount, t.paid_amount, t.input_currency, ${UNCONFIRMED} as is_unconfirmed,
       (select string_agg(case h.reason when 'sender' then 'the sender is in doubt'
            else (select string_agg(m ->> 'says', '; ') from json_array_elements(h.rules) as m) end, '; ' order by h.held_at)
        from holds h
        where h.account_id = t.account_id and h.transaction_id = t.transaction_id and h.decision is null) as held_for,
       coalesce(r.position, $1)::integer as position, r.recipient_id,
       r.state, coalesce(r.state_reason, r.state_reason_details ->> 'description') as reason,
       r.state_reason_details ->> 'code' as code, r.payout_type, r.provider, r.input_amount as part, r.output_amount,
       r.output_currency, r.attempt_count, r.error_count, p.started_at, p.heard_at, r.cancel_requested_at
     from transactions t
     join accounts a on a.account_id = t.account_id
     cross join (values (true), (false)) as k (is_whole)
     left join recipients r on not k.is_whole and r.account_id = t.account_id and r.transaction_id = t.transaction_id
       and r.state = any($2::text[])
     left join payout_attempts p on p.account_id = r.account_id and p.attempt_id = r.attempt_id
     where t.attention_at is not null and t.attention_at >= $3::timestamptz
       and (t.attention_at, t.transaction_id, coalesce(r.position, $1)) > ($3::timestamptz, $4::uuid, $5::integer)
       and (r.recipient_id is not null
         or (k.is_whole and t.state = any($6::text[]) and (t.is_collection or t.state <> 'exception'))
         or (k.is_whole and $11::boolean and ${UNCONFIRMED})
         or (k.is_whole and t.state <> all($9::text[]) and not ${UNCONFIRMED} and not exists (
           select 1 from recipients o
           where o.account_id = t.account_id and o.transaction_id = t.transaction_id and o.state = any($10::text[]))))
       and ${which}
     order by t.attention_at, t.transaction_id, position
     limit $8::integer`;
}

export async function readAttention(db: Queryable, query: AttentionQuery): Promise<AttentionRow[]> {
  const rows = await db.query<StoredAttention>(statementFor(OF_ANY), valuesOf(query));
  return rows.map(attentionOf);
}

/** The same of one transaction, found by its key. */
export async function readAttentionOf(
  db: Queryable,
  { accountId, transactionId }: TransactionKey,
  query: Omit<AttentionQuery, 'accountId' | 'after'>,
): Promise<AttentionRow[]> {
  const values = [...valuesOf({ ...query, accountId, after: null }), transactionId];
  return (await db.query<StoredAttention>(statementFor(OF_ONE), values)).map(attentionOf);
}

function valuesOf(query: AttentionQuery) {
  const { since, transactionId, position } = query.after ?? { since: NEVER, transactionId: NO_ID, position: -1 };
  return [
    WHOLE_TRANSACTION,
    query.recipientStates,
    since,
    transactionId,
    position,
    query.wholeStates,
    query.accountId,
    query.limit,
    query.otherThan?.wholeStates ?? null,
    query.otherThan?.recipientStates ?? null,
    query.unconfirmed,
  ];
}

function attentionOf(row: StoredAttention): AttentionRow {
  return {
    since: row.attention_at,
    accountId: row.account_id,
    accountName: row.name,
    transactionId: row.transaction_id,
    externalId: row.external_id,
    transactionState: row.transaction_state,
    inputAmount: row.input_amount,
    paidAmount: row.paid_amount,
    inputCurrency: row.input_currency,
    stateReason: row.state_reason,
    isUnconfirmed: row.is_unconfirmed,
    heldFor: row.held_for,
    position: row.position,
    recipient: row.recipient_id === null ? null : recipientOf(row, row.recipient_id),
  };
}

function recipientOf(row: StoredAttention, recipientId: string): RecipientForPeople {
  return {
    recipientId,
    state: row.state,
    reason: row.reason,
    code: row.code,
    payoutType: row.payout_type,
    provider: row.provider,
    inputAmount: row.part,
    outputAmount: row.output_amount,
    outputCurrency: row.output_currency,
    attempts: row.attempt_count,
    errors: row.error_count,
    lastAttemptAt: row.started_at,
    heardAt: row.heard_at,
    cancelRequestedAt: row.cancel_requested_at,
  };
}
