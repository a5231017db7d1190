/** What all tenants' books hold together, for metrics. On a distributed PostgreSQL the sum has no common snapshot. */
import type { Queryable } from '../kernel/database.ts';

export interface LedgerTotal {
  readonly ledgerAccount: string;
  readonly currency: string;
  readonly minor: bigint;
}

export async function readLedgerTotals(db: Queryable): Promise<LedgerTotal[]> {
  const rows = await db.query<{ ledger_account: string; currency: string; minor: string }>(
    `select ledger_account, currency, sum(amount)::text as minor
     from ledger_balances
     group by ledger_account, currency
     order by ledger_account, currency`,
  );
  return rows.map((row) => ({
    ledgerAccount: row.ledger_account,
    currency: row.currency,
    minor: BigInt(row.minor),
  }));
}
