/**
 * Whoever is canceled or refunded says who or what did it and when, as the books and the audit log have it; nobody else
 * says that it has ended. It stays where a provider has paid all the same.
 */
import { type Invariant, rowsOf } from './invariant.ts';

const WRONG = `
  select t.external_id, r.state, r.canceled_by, r.ended_at, b.refunded_at, a.action
  from recipients r
  join transactions t on t.account_id = r.account_id and t.transaction_id = r.transaction_id
  left join (
    select l.account_id, l.recipient_id, min(l.posted_at) as refunded_at
    from ledger_transfers l where l.entry = 'refund' group by l.account_id, l.recipient_id
  ) as b on b.account_id = r.account_id and b.recipient_id = r.recipient_id
  left join audit_log a on a.audit_id = r.cancel_audit_id and a.subject in (r.recipient_id::text, r.transaction_id::text)
  where (r.ended_at is not null) <> (r.state = 'canceled' or b.refunded_at is not null)
    or r.ended_at <> b.refunded_at
    or (r.canceled_by is null and (r.ended_at is not null or r.cancel_requested_at is not null))
    or coalesce(r.canceled_by = 'operator', false) <> (a.audit_id is not null)
    or (r.canceled_by in ('expiry', 'failed_payin') and t.funded_at is not null)
    or (r.canceled_by = 'auto_refund' and t.funded_at is null)
  order by t.external_id, r.position`;

export const cancelers: Invariant = {
  name: 'who canceled it is kept',
  often: ({ world }) =>
    rowsOf(world, WRONG).map(
      (row) =>
        `a recipient of ${row['external_id']} is ${row['state']}, canceled by ${row['canceled_by']} ` +
        `(${row['action']}), ended ${String(row['ended_at'])}, refunded ${String(row['refunded_at'])}`,
    ),
};
