/** What of a transaction's money came back, and to whom: by its entries in the books, and by nothing else. Pure. */
import type { EntryName, LedgerAccount } from './chart.ts';

export interface Returned {
  /** `balance`: of the account. `payer`: of a collection. */
  readonly to: 'balance' | 'payer';
  readonly currency: string;
  readonly minor: bigint;
  readonly entries: number;
  readonly lastAt: Date;
}

interface Posted {
  readonly entry: string;
  readonly to: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly postedAt: Date;
}

/** The entries that give money back, with the side of each that receives it. */
const RETURNS = [
  { entry: 'refund', account: 'balance', to: 'balance' },
  { entry: 'suspense_returned', account: 'payin_settlement', to: 'payer' },
  { entry: 'collection_returned', account: 'payin_settlement', to: 'payer' },
  { entry: 'collection_returned_exchanged', account: 'payin_settlement', to: 'payer' },
] as const satisfies readonly { entry: EntryName; account: LedgerAccount; to: Returned['to'] }[];

/** One sum for each side and currency, in the order in which they began. */
export function returnedBy(transfers: readonly Posted[]): Returned[] {
  const sums = new Map<string, Returned>();
  for (const { entry, to: account, currency, amount, postedAt } of transfers) {
    const found = RETURNS.find((each) => each.entry === entry && each.account === account);
    if (found === undefined) continue;
    const name = `${found.to} ${currency}`;
    const before = sums.get(name);
    sums.set(name, {
      to: found.to,
      currency,
      minor: (before?.minor ?? 0n) + amount,
      entries: (before?.entries ?? 0) + 1,
      lastAt: before && before.lastAt > postedAt ? before.lastAt : postedAt,
    });
  }
  return [...sums.values()];
}
