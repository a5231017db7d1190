/**
 * The SQL of `ledger verify` about money that payers have sent: everything that arrived is in exactly one place. One
 * statement per check, set-based: only differences come back.
 */
import type { Tx } from '../kernel/database.ts';
import type { Difference } from './difference.ts';

interface ReceiptRow {
  entry_id: string;
  receipt_id: string | null;
  arrived: string | null;
  posted: string | null;
}

/**
 * Each payment has one transfer, of its amount, to the place that it names; and no such transfer is without payment.
 */
export async function receiptDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<ReceiptRow>(
    `with posted as (
       select t.entry_id, t.transaction_id, t.currency, t.amount, t.to_account
       from ledger_transfers t
       where t.account_id = $1::uuid and t.entry in ('payin_received', 'late_payin')
     ), arrived as (
       select r.entry_id, r.receipt_id, r.transaction_id, r.currency, r.amount, r.place
       from payin_receipts r
       where r.account_id = $1::uuid
     )
     select coalesce(a.entry_id, p.entry_id) as entry_id, a.receipt_id,
       a.amount || ' ' || a.currency || ' in ' || a.place as arrived,
       p.amount || ' ' || p.currency || ' in ' || p.to_account as posted
     from arrived a
     full join posted p on p.entry_id = a.entry_id
     where a.entry_id is null or p.entry_id is null or a.amount <> p.amount or a.currency <> p.currency
       or a.place <> p.to_account or a.transaction_id is distinct from p.transaction_id
     order by 1
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ entry_id, receipt_id, arrived, posted }) => ({
    kind: 'receipt_differs',
    accountId,
    where: receipt_id ?? entry_id,
    expected: arrived ?? 'no payment',
    found: posted ?? 'nothing posted',
  }));
}

/** What is in suspense is what arrived there and was neither accepted nor returned. */
export async function suspenseDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ currency: string; waiting: string; held: string }>(
    `with waiting as (
       select r.currency, sum(r.amount) as amount
       from payin_receipts r
       where r.account_id = $1::uuid and r.place = 'suspense' and r.resolution is null
       group by r.currency
     ), suspense as (
       select b.currency, b.amount
       from ledger_balances b
       where b.account_id = $1::uuid and b.ledger_account = 'suspense'
     )
     select coalesce(w.currency, s.currency) as currency, coalesce(w.amount, 0)::text as waiting,
       coalesce(s.amount, 0)::text as held
     from waiting w
     full join suspense s on s.currency = w.currency
     where coalesce(w.amount, 0) <> coalesce(s.amount, 0)
     order by 1
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ currency, waiting, held }) => ({
    kind: 'suspense_differs',
    accountId,
    where: `${currency} suspense`,
    expected: waiting,
    found: held,
  }));
}

/**
 * What was decided about payments is posted once, in the amount of the payments; and nothing is posted so otherwise.
 */
export async function resolutionDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ entry_id: string; decided: string | null; posted: string | null }>(
    `with posted as (
       select t.entry_id, t.currency, t.amount,
         case t.entry when 'suspense_accepted' then 'accepted' else 'returned' end as resolution,
         case when t.entry in ('suspense_accepted', 'suspense_returned') then 'suspense' else 'held' end as place
       from ledger_transfers t
       where t.account_id = $1::uuid
         and (t.entry = 'suspense_accepted'
           or (t.entry in ('suspense_returned', 'collection_returned', 'collection_returned_exchanged')
             and t.to_account = 'payin_settlement'))
     ), decided as (
       select r.resolution_entry_id as entry_id, r.currency, r.place, r.resolution, sum(r.amount) as amount
       from payin_receipts r
       where r.account_id = $1::uuid and r.resolution is not null
       group by r.resolution_entry_id, r.currency, r.place, r.resolution
     )
     select coalesce(d.entry_id, p.entry_id) as entry_id,
       d.amount || ' ' || d.currency || ' of ' || d.place || ' ' || d.resolution as decided,
       p.amount || ' ' || p.currency || ' of ' || p.place || ' ' || p.resolution as posted
     from decided d
     full join posted p on p.entry_id = d.entry_id
     where d.amount is distinct from p.amount or d.currency is distinct from p.currency
       or d.place is distinct from p.place or d.resolution is distinct from p.resolution
     order by 1
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ entry_id, decided, posted }) => ({
    kind: 'resolution_differs',
    accountId,
    where: entry_id,
    expected: decided ?? 'no decision',
    found: posted ?? 'nothing posted',
  }));
}
