/** The SQL behind the list of recipients. Newest first; ids begin with the time and settle what was created at once. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { RecipientKey } from './recipient.ts';
import type { RecipientState } from './states.ts';
import type { OfTransaction } from './store.ts';

export interface RecipientFilter {
  readonly accountId: string;
  /** Created at or after. */
  readonly from: Date | null;
  /** Created before. */
  readonly before: Date | null;
  /** In one of them; null: in any. */
  readonly states: readonly RecipientState[] | null;
  /** With an input currency of these, each once, and an input amount within; null: with any. */
  readonly amounts: readonly AmountRange[] | null;
}

/** Minor units, both bounds included. */
export interface AmountRange {
  readonly currency: CurrencyCode;
  readonly least: bigint;
  readonly most: bigint;
}

const MATCHES = `r.account_id = $1::uuid
       and ($2::timestamptz is null or r.created_at >= $2::timestamptz)
       and ($3::timestamptz is null or r.created_at < $3::timestamptz)
       and ($4::text[] is null or r.state = any($4::text[]))
       and ($5::text[] is null or exists (
         select from unnest($5::text[], $6::bigint[], $7::bigint[]) as u (currency, least, most)
         where r.input_currency = u.currency and r.input_amount between u.least and u.most))`;

export async function pageOfRecipientIds(
  tx: Tx,
  filter: RecipientFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<(RecipientKey & OfTransaction)[]> {
  const rows = await tx.query<{ recipient_id: string; transaction_id: string }>(
    `select r.recipient_id, r.transaction_id
     from recipients r
     where ${MATCHES}
     order by r.created_at desc, r.recipient_id desc
     offset $8::bigint limit $9::integer`,
    [...valuesOf(filter), offset, limit],
  );
  const { accountId } = filter;
  return rows.map((row) => ({ accountId, recipientId: row.recipient_id, transactionId: row.transaction_id }));
}

export async function countRecipients(tx: Tx, filter: RecipientFilter): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from recipients r
     where ${MATCHES}`,
    valuesOf(filter),
  );
  return Number(present(rows[0], 'count of recipients').count);
}

function valuesOf({ accountId, from, before, states, amounts }: RecipientFilter) {
  return [
    accountId,
    from,
    before,
    states,
    amounts?.map(({ currency }) => currency) ?? null,
    amounts?.map(({ least }) => least) ?? null,
    amounts?.map(({ most }) => most) ?? null,
  ];
}
