/** What an account has in its books, one line per currency name, as operators look at it. */
import type { Tx } from '../kernel/database.ts';
import type { LedgerAccount } from './chart.ts';

export interface BalanceLine {
  readonly currency: string;
  readonly minor: Readonly<Record<LedgerAccount, bigint>>;
}

type StoredLine = { currency: string } & Record<LedgerAccount, bigint>;

/** A ledger account that has no row holds nothing. */
export async function readBalanceLines(tx: Tx, accountId: string): Promise<BalanceLine[]> {
  const rows = await tx.query<StoredLine>(
    `select currency,
       coalesce(max(amount) filter (where ledger_account = 'balance'), 0) as balance,
       coalesce(max(amount) filter (where ledger_account = 'held'), 0) as held,
       coalesce(max(amount) filter (where ledger_account = 'exchange'), 0) as exchange,
       coalesce(max(amount) filter (where ledger_account = 'payout_settlement'), 0) as payout_settlement,
       coalesce(max(amount) filter (where ledger_account = 'payin_settlement'), 0) as payin_settlement,
       coalesce(max(amount) filter (where ledger_account = 'treasury'), 0) as treasury,
       coalesce(max(amount) filter (where ledger_account = 'suspense'), 0) as suspense
     from ledger_balances
     where account_id = $1::uuid
     group by currency
     order by currency`,
    [accountId],
  );
  return rows.map(({ currency, ...minor }) => ({ currency, minor }));
}
