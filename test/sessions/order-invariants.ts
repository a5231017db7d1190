/** What holds of holds, orders and their audit rows after every schedule. Empty: nothing is wrong. */
import type { Database } from '../../server/src/kernel/database.ts';
import { rowsOf } from './invariants.ts';
import { doneTwice, wrongAudit } from './operator.ts';
import type { OrderScene } from './order-scene.ts';

export async function wrongOrders(db: Database, { accountId, orders }: OrderScene): Promise<string[]> {
  return [
    ...(await rowsOf(db, accountId, CHECKS)),
    ...(await wrongAudit(db, orders)),
    ...doneTwice(orders, ['release']),
  ];
}

/** Each statement finds what must not be: its name, and an id. */
const CHECKS: Readonly<Record<string, string>> = {
  'a hold was decided on by another than the audit log says': `select h.transaction_id::text as id from holds h
    where h.account_id = $1::uuid and h.decision in ('released', 'canceled') and h.decided_by is not null
      and not exists (
        select 1 from audit_log a where a.subject = h.transaction_id::text
          and a.action = case h.decision when 'released' then 'hold.release' else 'hold.cancel' end)`,
  // Released from a rule, it may be held because of its sender, and be rejected then.
  'more was decided about a transaction than held it': `select a.subject as id from audit_log a
    where a.action in ('hold.release', 'hold.cancel') and a.subject in (
      select transaction_id::text from transactions where account_id = $1::uuid)
    group by a.subject having count(*) > (
      select count(*) from holds h where h.account_id = $1::uuid and h.transaction_id::text = a.subject
        and h.decided_by is not null and h.decision in ('released', 'canceled'))`,
  'a transaction is held twice by rules': `select transaction_id::text as id from holds
    where account_id = $1::uuid and reason = 'rules' group by transaction_id having count(*) > 1`,
  'a hold outlives its transaction': `select h.transaction_id::text as id from holds h
    join transactions t on t.account_id = h.account_id and t.transaction_id = h.transaction_id
    where h.account_id = $1::uuid and h.decision is null and t.state in ('paid', 'refunded', 'canceled')`,
  'an attempt has no number of its own': `select recipient_id::text as id from payout_attempts
    where account_id = $1::uuid group by recipient_id having count(*) <> max(number)`,
  'a recipient has two open attempts': `select recipient_id::text as id from payout_attempts
    where account_id = $1::uuid and outcome is null group by recipient_id having count(*) > 1`,
  'one payment is posted twice': `select after ->> 'reference' as id from audit_log
    where subject = $1::text and action = 'balance.debit' and after ->> 'reference' is not null
    group by 1 having count(*) > 1`,
  'money was taken out without an audit row': `select t.entry_id::text as id from ledger_transfers t
    where t.account_id = $1::uuid and t.entry = 'take_out'
      and (select count(*) from ledger_transfers o where o.account_id = $1::uuid and o.entry = 'take_out')
        <> (select count(*) from audit_log a where a.subject = $1::text and a.action = 'balance.debit')`,
};
