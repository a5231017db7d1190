/** The SQL that tells what became of the parts of recipients: still held, paid out, or refunded. The books decide. */
import type { Queryable } from '../kernel/database.ts';
import { byKeys, keyLists } from '../storage/tenants.ts';

/**
 * By recipient id, the name of the entry by which its part left `held`; `refund` where one that was paid in part got
 * the rest back. Who is not there still has it held.
 */
export async function readReleases(
  db: Queryable,
  transactions: readonly { readonly accountId: string; readonly transactionId: string }[],
): Promise<Map<string, string>> {
  if (transactions.length === 0) return new Map();
  const rows = await db.query<{ recipient_id: string; entry: string }>(
    byKeys({
      columns: 't.recipient_id, t.entry',
      from: 'ledger_transfers t',
      id: 'transaction_id',
      and: `t.from_account = 'held' and t.recipient_id is not null`,
    }),
    keyLists(transactions, (key) => key.transactionId),
  );
  const refundsLast = rows.toSorted((one, other) => Number(one.entry === 'refund') - Number(other.entry === 'refund'));
  return new Map(refundsLast.map((row) => [row.recipient_id, row.entry]));
}
