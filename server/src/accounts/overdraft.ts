/**
 * The permission to go below zero, as it stands beside each balance, where the database's own constraint reads it. It
 * is a copy of the account's term and changes with it, in the same commit. Spec: Account balance (negative_balance).
 */
import type { Tx } from '../kernel/database.ts';

/** Locks the balances of an account and gives the currencies of those below zero. */
export async function lockBelowZero(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx.query<{ currency: string; amount: bigint }>(
    `select currency, amount
     from ledger_balances
     where account_id = $1::uuid and ledger_account = 'balance'
     order by account_id, currency, ledger_account
     for update`,
    [accountId],
  );
  return rows.filter((row) => row.amount < 0n).map((row) => row.currency);
}

export async function copyOverdraftTerm(tx: Tx, accountId: string, negativeBalance: boolean): Promise<void> {
  await tx.execute(
    `update ledger_balances
     set may_go_below_zero = $2::boolean
     where account_id = $1::uuid and ledger_account = 'balance' and may_go_below_zero <> $2::boolean`,
    [accountId, negativeBalance],
  );
}
