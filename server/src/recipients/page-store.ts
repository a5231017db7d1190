/** The SQL behind the list of recipients. Newest first; ids begin with the time and settle what was created at once. */
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { narrow, type Wish, wish } from '../storage/narrow.ts';
import type { RecipientKey } from './recipient.ts';
import type { RecipientState } from './states.ts';
import type { OfTransaction } from './store.ts';

export interface RecipientFilter {
  readonly accountId: string;
  /** Created at or after. */
  readonly from: Date;
  /** Created before. */
  readonly before: Date;
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

export async function pageOfRecipientIds(
  tx: Tx,
  filter: RecipientFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<(RecipientKey & OfTransaction)[]> {
  const { accountId, from, before } = filter;
  const { and, values } = narrow([accountId, from, before, offset, limit], wishesOf(filter));
  // Those before the page are passed over in the index alone.
  const rows = await tx.query<{ recipient_id: string; transaction_id: string }>(
    `select o.recipient_id, o.transaction_id
     from (
       select r.recipient_id, r.created_at
       from recipients r
       where r.account_id = $1::uuid and r.created_at >= $2::timestamptz and r.created_at < $3::timestamptz ${and}
       order by r.created_at desc, r.recipient_id desc
       offset $4::bigint limit $5::integer) p
     join recipients o on o.account_id = $1::uuid and o.recipient_id = p.recipient_id
     order by p.created_at desc, p.recipient_id desc`,
    values,
  );
  return rows.map((row) => ({ accountId, recipientId: row.recipient_id, transactionId: row.transaction_id }));
}

export async function countRecipients(tx: Tx, filter: RecipientFilter): Promise<number> {
  const { accountId, from, before } = filter;
  const { and, values } = narrow([accountId, from, before], wishesOf(filter));
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from recipients r
     where r.account_id = $1::uuid and r.created_at >= $2::timestamptz and r.created_at < $3::timestamptz ${and}`,
    values,
  );
  return Number(present(rows[0], 'count of recipients').count);
}

function wishesOf({ states, amounts }: RecipientFilter): readonly (Wish | null)[] {
  return [wish('r.state = any(?::text[])', states), amounts && withinAmounts(amounts)];
}

/** The bounds by the place of the currency: a join with the list for each recipient took almost six times as long. */
function withinAmounts(amounts: readonly AmountRange[]): Wish {
  const currencies = amounts.map(({ currency }) => currency);
  return {
    sql: `r.input_currency = any(?::text[])
         and r.input_amount >= (?::bigint[])[array_position(?::text[], r.input_currency)]
         and r.input_amount <= (?::bigint[])[array_position(?::text[], r.input_currency)]`,
    values: [currencies, amounts.map(({ least }) => least), currencies, amounts.map(({ most }) => most), currencies],
  };
}
