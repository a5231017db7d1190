/** What waits to be funded, by currency name: the sum over the transactions that still may be. */
import type { Tx } from '../../kernel/database.ts';
import { MAX_MINOR } from '../../money/amount.ts';

export interface PendingInputs {
  readonly accountId: string;
  readonly currencies: readonly string[];
  readonly now: Date;
}

/** Minor units by currency name, up to the largest amount there is; currencies for which nothing waits are left out. */
export async function readPendingInputs(
  tx: Tx,
  { accountId, currencies, now }: PendingInputs,
): Promise<ReadonlyMap<string, bigint>> {
  if (currencies.length === 0) return new Map();
  const rows = await tx.query<{ currency: string; minor: bigint }>(
    `select t.input_currency as currency, least(sum(t.input_amount), $4::numeric)::bigint as minor
     from transactions t
     where t.account_id = $1::uuid
       and t.input_currency = any($2::text[])
       and t.state in ('initial', 'approved')
       and t.expires_at > $3::timestamptz
       and not t.is_collection
     group by t.input_currency`,
    [accountId, currencies, now, MAX_MINOR],
  );
  return new Map(rows.map((row) => [row.currency, row.minor]));
}
