/** An entry: one or two transfers that are posted together. Pure; ids and time are arguments. */
import { assert, present } from '../kernel/assert.ts';
import type { Ids } from '../kernel/ids.ts';
import { ENTRIES, type EntryName, type LedgerAccount } from './chart.ts';

/** An amount in the books. The currency is a name: `USD`, or `USD::Partner` for a balance kept through a partner. */
export interface LedgerAmount {
  readonly currency: string;
  readonly minor: bigint;
}

export interface Transfer {
  readonly accountId: string;
  readonly transferId: string;
  readonly entryId: string;
  readonly entry: EntryName;
  readonly currency: string;
  readonly from: LedgerAccount;
  readonly to: LedgerAccount;
  readonly amount: bigint;
  readonly transactionId: string | null;
  readonly recipientId: string | null;
  readonly postedAt: Date;
}

export interface EntryInput {
  readonly accountId: string;
  readonly transactionId?: string;
  readonly recipientId?: string;
  readonly postedAt: Date;
  /** One amount for each transfer of the entry, in the order of the chart. */
  readonly amounts: readonly LedgerAmount[];
}

export const MAX_LEDGER_MINOR = 10n ** 15n;

export function makeEntry(ids: Ids, entry: EntryName, input: EntryInput): Transfer[] {
  const legs = ENTRIES[entry];
  assert(input.amounts.length === legs.length, `${entry}: one amount for each transfer`);
  const entryId = ids.next();
  return legs.map(([from, to], index) => {
    const amount = present(input.amounts[index], `amount ${index} of ${entry}`);
    assert(amount.minor > 0n, `${entry}: a transfer moves more than nothing`);
    assert(amount.minor < MAX_LEDGER_MINOR, `${entry}: a transfer stays below 10^15 minor units`);
    return {
      accountId: input.accountId,
      transferId: ids.next(),
      entryId,
      entry,
      currency: amount.currency,
      from,
      to,
      amount: amount.minor,
      transactionId: input.transactionId ?? null,
      recipientId: input.recipientId ?? null,
      postedAt: input.postedAt,
    };
  });
}
