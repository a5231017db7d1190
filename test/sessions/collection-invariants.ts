/** What holds of collections and payments after every schedule. Each function gives what is wrong; empty: nothing. */
import type { Database } from '../../server/src/kernel/database.ts';
import { referenceIn } from '../../server/src/payins/receipt.ts';
import type { CollectionScene } from './collection-scene.ts';
import { rowsOf } from './invariants.ts';
import { doneTwice, wrongAudit } from './operator.ts';

export async function wrongCollections(db: Database, { accountId, orders }: CollectionScene): Promise<string[]> {
  return [
    ...(await rowsOf(db, accountId, CHECKS)),
    ...(await wrongAudit(db, orders)),
    ...doneTwice(orders, ['accept', 'return']),
    ...doneTwice(orders, ['refund']),
  ];
}

/** Each statement finds what must not be: its name, and an id. */
const CHECKS: Readonly<Record<string, string>> = {
  'a payment counts for two collections': `select split_part(payment_reference, ' in ', 1) as id from payin_receipts
    where account_id = $1::uuid and place = 'held' group by provider, 1 having count(*) > 1`,
  'a payment is posted twice, or not as it came': `select r.receipt_id::text as id from payin_receipts r
    left join ledger_transfers t on t.account_id = r.account_id and t.entry_id = r.entry_id
    where r.account_id = $1::uuid
    group by r.receipt_id, r.amount, r.place having count(t.transfer_id) <> 1 or sum(t.amount) <> r.amount
      or min(t.entry) <> case r.place when 'held' then 'payin_received' else 'late_payin' end`,
  'a payment is posted and not recorded': `select t.entry_id::text as id from ledger_transfers t
    where t.account_id = $1::uuid and t.entry in ('payin_received', 'late_payin') and not exists (
      select 1 from payin_receipts r where r.account_id = t.account_id and r.entry_id = t.entry_id)`,
  'a payment in suspense is posted without a decision, or twice': `select t.entry_id::text as id from ledger_transfers t
    where t.account_id = $1::uuid and t.entry in ('suspense_accepted', 'suspense_returned') and not exists (
      select 1 from payin_receipts r where r.account_id = t.account_id and r.resolution_entry_id = t.entry_id)`,
  'a collection is brought into the balance, or given back, twice': `select transaction_id::text as id
    from ledger_transfers
    where account_id = $1::uuid
      and entry in ('collected', 'collected_exchanged', 'collection_returned', 'collection_returned_exchanged')
    group by transaction_id, entry like 'collected%' having count(distinct entry_id) > 1`,
  'a payer has two open prompts': `select payin_method_id::text as id from payin_attempts
    where account_id = $1::uuid and outcome is null group by payin_method_id having count(*) > 1`,
};

/** The payer's book and ours agree: each payment that was told is recorded once, with its amount. */
export async function wrongPayments(db: Database, { accountId, payer }: CollectionScene): Promise<string[]> {
  const rows = await db.query<{ transaction_id: string; payment_reference: string; amount: bigint }>(
    'select transaction_id, payment_reference, amount from payin_receipts where account_id = $1::uuid',
    [accountId],
  );
  const wrong: string[] = [];
  for (const { order, payments } of payer.book.values()) {
    for (const { reference, minor } of payments) {
      const names = [reference, referenceIn(reference, order.transactionId)];
      const recorded = rows.filter(
        (row) => row.transaction_id === order.transactionId && names.includes(row.payment_reference),
      );
      if (recorded.length === 1 && recorded[0]?.amount === minor) continue;
      wrong.push(`paid once and recorded ${recorded.length} times: ${reference} ${order.transactionId}`);
    }
  }
  return wrong;
}
