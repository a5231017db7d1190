/** What the balance endpoints read, in one statement, or two for an account that has money with a partner. */
import { assert } from '../kernel/assert.ts';
import type { Queryable } from '../kernel/database.ts';
import { UNFUNDED_EXPIRY_SECONDS } from '../kernel/limits.ts';
import { MAX_MINOR } from '../money/amount.ts';

export interface OwnBalance {
  readonly currency: string;
  readonly minor: bigint;
}

interface OwnBalances {
  readonly negativeBalance: boolean;
  /** By currency name. */
  readonly balances: readonly OwnBalance[];
}

/** A currency has a balance as soon as the ledger has a row for it, also when that is zero. */
export async function readOwnBalances(db: Queryable, accountId: string): Promise<OwnBalances> {
  const rows = await db.query<{ negative_balance: boolean; currency: string | null; amount: bigint | null }>(
    `select a.negative_balance, b.currency, b.amount
     from accounts a
     left join ledger_balances b
       on b.account_id = a.account_id and b.account_id = $1::uuid and b.ledger_account = 'balance'
     where a.account_id = $1::uuid
     order by b.currency`,
    [accountId],
  );
  const [first] = rows;
  assert(first !== undefined, 'a key belongs to an account');
  const balances = rows.flatMap(({ currency, amount: minor }) =>
    currency === null || minor === null ? [] : [{ currency, minor }],
  );
  return { negativeBalance: first.negative_balance, balances };
}

interface PendingInputs {
  readonly accountId: string;
  readonly currencies: readonly string[];
  readonly now: Date;
}

/**
 * What waits to be funded and still may be: minor units by currency name, up to the largest amount there is. Currencies
 * for which nothing waits are left out. What was created longer ago than that takes has expired, and is not looked at.
 */
export async function readPendingInputs(
  db: Queryable,
  { accountId, currencies, now }: PendingInputs,
): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.query<{ currency: string; minor: bigint }>(
    `select t.input_currency as currency, least(sum(t.input_amount), $4::numeric)::bigint as minor
     from transactions t
     where t.account_id = $1::uuid and t.created_at > $5::timestamptz
       and t.input_currency = any($2::text[])
       and t.state in ('initial', 'approved')
       and t.expires_at > $3::timestamptz
       and not t.is_collection
     group by t.input_currency`,
    [accountId, currencies, now, MAX_MINOR, new Date(now.getTime() - UNFUNDED_EXPIRY_SECONDS * 1_000)],
  );
  return new Map(rows.map((row) => [row.currency, row.minor]));
}
