/** The SQL behind the list of payout methods. Newest first; ids begin with the time and settle what came at once. */
import type { Tx } from '../kernel/database.ts';
import type { PayoutMethod, PayoutMethodState } from './payout-method.ts';
import { readMethods } from './store.ts';

export interface MethodFilter {
  readonly accountId: string;
  readonly states: readonly PayoutMethodState[];
  /** Null: all of them. */
  readonly types: readonly string[] | null;
  /** Created at or after. */
  readonly from: Date | null;
  /** Created before. */
  readonly before: Date | null;
}

const WHERE = `where p.account_id = $1::uuid
       and p.state = any($2::text[])
       and ($3::text[] is null or p.type = any($3::text[]))
       and ($4::timestamptz is null or p.created_at >= $4::timestamptz)
       and ($5::timestamptz is null or p.created_at < $5::timestamptz)`;

export async function pageOfMethods(
  tx: Tx,
  filter: MethodFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PayoutMethod[]> {
  const rows = await tx.query<{ payout_method_id: string }>(
    `select p.payout_method_id
     from payout_methods p
     ${WHERE}
     order by p.created_at desc, p.payout_method_id desc
     offset $6::bigint limit $7::integer`,
    [...valuesOf(filter), offset, limit],
  );
  const { accountId } = filter;
  const keys = rows.map((row) => ({ accountId, payoutMethodId: row.payout_method_id }));
  const found = new Map((await readMethods(tx, keys)).map((method) => [method.payoutMethodId, method]));
  return keys.flatMap((key) => found.get(key.payoutMethodId) ?? []);
}

export async function countMethods(tx: Tx, filter: MethodFilter): Promise<number> {
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from payout_methods p
     ${WHERE}`,
    valuesOf(filter),
  );
  return Number(rows[0]?.count ?? 0n);
}

function valuesOf({ accountId, states, types, from, before }: MethodFilter) {
  return [accountId, states, types, from, before];
}
