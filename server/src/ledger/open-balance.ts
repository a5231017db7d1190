/** Balances that are there before any money is: opened at zero, and shown from then on. */
import type { Tx } from '../kernel/database.ts';
import { insertZeroBalances, lockBalances } from './store.ts';

interface BalanceName {
  readonly accountId: string;
  /** `USD`, or `USD::Partner`. */
  readonly currency: string;
}

/** False: it was there already, and stays as it is. */
export async function openZeroBalance(tx: Tx, name: BalanceName): Promise<boolean> {
  const added = await insertZeroBalances(tx, [{ ...name, ledgerAccount: 'balance' }]);
  return added.length > 0;
}

export async function isBalanceOpen(tx: Tx, name: BalanceName): Promise<boolean> {
  const rows = await lockBalances(tx, [{ ...name, ledgerAccount: 'balance' }]);
  return rows.length > 0;
}
