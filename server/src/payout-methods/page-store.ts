/** The SQL behind the list of payout methods. Newest first; ids begin with the time and settle what came at once. */
import type { Tx } from '../kernel/database.ts';
import { narrow, wish } from '../storage/narrow.ts';
import type { PayoutMethod, PayoutMethodState } from './payout-method.ts';
import { readMethods } from './store.ts';

export interface MethodFilter {
  readonly accountId: string;
  readonly states: readonly PayoutMethodState[];
  /** Null: all of them. */
  readonly types: readonly string[] | null;
  /** Created at or after. */
  readonly from: Date;
  /** Created before. */
  readonly before: Date;
}

const WHERE = `where p.account_id = $1::uuid
       and p.state = any($2::text[])
       and p.created_at >= $3::timestamptz and p.created_at < $4::timestamptz`;

export async function pageOfMethods(
  tx: Tx,
  filter: MethodFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<PayoutMethod[]> {
  const { and, values } = narrow([...valuesOf(filter), offset, limit], [ofTypes(filter)]);
  const rows = await tx.query<{ payout_method_id: string }>(
    `select p.payout_method_id
     from payout_methods p
     ${WHERE} ${and}
     order by p.created_at desc, p.payout_method_id desc
     offset $5::bigint limit $6::integer`,
    values,
  );
  const { accountId } = filter;
  const keys = rows.map((row) => ({ accountId, payoutMethodId: row.payout_method_id }));
  const found = new Map((await readMethods(tx, keys)).map((method) => [method.payoutMethodId, method]));
  return keys.flatMap((key) => found.get(key.payoutMethodId) ?? []);
}

export async function countMethods(tx: Tx, filter: MethodFilter): Promise<number> {
  const { and, values } = narrow(valuesOf(filter), [ofTypes(filter)]);
  const rows = await tx.query<{ count: bigint }>(
    `select count(*) as count
     from payout_methods p
     ${WHERE} ${and}`,
    values,
  );
  return Number(rows[0]?.count ?? 0n);
}

function valuesOf({ accountId, states, from, before }: MethodFilter) {
  return [accountId, states, from, before];
}

function ofTypes({ types }: MethodFilter) {
  return wish('p.type = any(?::text[])', types);
}
