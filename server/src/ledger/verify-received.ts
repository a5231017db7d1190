/**
 * The SQL of `ledger verify` about where money went in the end: to recipients through a provider, into the balance from
 * a collection, and from there back to its payer. One statement per check, set-based: only differences come back.
 */
import type { Tx } from '../kernel/database.ts';
import { type Difference, RECIPIENTS_PAID } from './difference.ts';

interface ReceivedRow {
  recipient_id: string;
  state: string;
  posted: string;
  brought: string;
  elsewhere: string;
  currency: string;
}

/**
 * What was posted as paid to a recipient is what its attempts brought. Less, where people have yet to decide, or where
 * its part had gone back before; where they have decided by their own evidence, only that it got something.
 */
export async function paidOutDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<ReceivedRow>(
    `with posted as (
       select t.recipient_id,
         sum(t.amount) filter (where t.to_account = 'payout_settlement' and t.currency = r.output_currency) as amount,
         sum(t.amount) filter (where t.to_account = 'payout_settlement' and t.currency <> r.output_currency) as elsewhere,
         bool_or(t.entry = 'refund') as is_refunded
       from ledger_transfers t
       join recipients r on r.account_id = $1::uuid and r.recipient_id = t.recipient_id
       where t.account_id = $1::uuid and (t.to_account = 'payout_settlement' or t.entry = 'refund')
       group by t.recipient_id
     ), attempted as (
       select a.recipient_id, sum(a.paid_amount) as amount,
         bool_or(a.decided_by = 'operator' or a.evidence is not null) as is_by_people
       from payout_attempts a
       where a.account_id = $1::uuid
       group by a.recipient_id
     ), compared as (
       select r.recipient_id, r.state, r.output_currency, coalesce(p.amount, 0) as posted,
         coalesce(a.amount, 0) as brought, coalesce(p.elsewhere, 0) as elsewhere, r.state = any($2::text[]) as is_paid,
         coalesce(p.is_refunded, false) as is_refunded, coalesce(a.is_by_people, false) as is_by_people
       from recipients r
       join transactions x on x.account_id = $1::uuid and x.transaction_id = r.transaction_id
       left join posted p on p.recipient_id = r.recipient_id
       left join attempted a on a.recipient_id = r.recipient_id
       where r.account_id = $1::uuid and not x.is_collection
     )
     select c.recipient_id, c.state, c.posted::text as posted, c.brought::text as brought,
       c.elsewhere::text as elsewhere, c.output_currency as currency
     from compared c
     where c.elsewhere > 0
       or (c.is_paid and c.posted = 0)
       or (not c.is_by_people
         and (c.posted > c.brought
           or (c.posted < c.brought and c.state <> 'exception' and not (c.is_paid and c.is_refunded))))
     order by c.recipient_id
     limit $3::integer`,
    [accountId, RECIPIENTS_PAID, limit],
  );
  return rows.map(({ recipient_id, state, posted, brought, elsewhere, currency }) => ({
    kind: 'received_differs',
    accountId,
    where: recipient_id,
    expected: `${brought} ${currency}, ${state}`,
    found: elsewhere === '0' ? posted : `${posted}, and ${elsewhere} in another currency`,
  }));
}

/** A collection that has ended well has brought the output of its recipient into the balance, once. */
export async function collectedDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ recipient_id: string; wanted: string; found: string | null }>(
    `with collected as (
       select t.recipient_id, sum(t.amount) as amount, string_agg(t.amount || ' ' || t.currency, ', ') as found,
         bool_and(t.currency = r.output_currency) as is_right
       from ledger_transfers t
       join recipients r on r.account_id = $1::uuid and r.recipient_id = t.recipient_id
       where t.account_id = $1::uuid and t.entry in ('collected', 'collected_exchanged') and t.to_account = 'balance'
       group by t.recipient_id
     ), wanted as (
       select r.recipient_id, r.output_currency as currency,
         case when x.is_collection and r.state = any($2::text[]) then r.output_amount else 0 end as amount
       from recipients r
       join transactions x on x.account_id = $1::uuid and x.transaction_id = r.transaction_id
       where r.account_id = $1::uuid
     )
     select w.recipient_id, w.amount || ' ' || w.currency as wanted, c.found
     from wanted w
     left join collected c on c.recipient_id = w.recipient_id
     where w.amount <> coalesce(c.amount, 0) or not coalesce(c.is_right, true)
     order by w.recipient_id
     limit $3::integer`,
    [accountId, RECIPIENTS_PAID, limit],
  );
  return rows.map(({ recipient_id, wanted, found }) => ({
    kind: 'received_differs',
    accountId,
    where: recipient_id,
    expected: wanted,
    found: found ?? 'nothing collected',
  }));
}

/** A payer who got everything back got it out of what the collection had brought, no more and no less. */
export async function giveBackDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ transaction_id: string | null; brought: string; taken: string }>(
    `with moved as (
       select t.transaction_id, t.currency,
         coalesce(sum(t.amount) filter (where t.to_account = 'balance'), 0) as brought,
         coalesce(sum(t.amount) filter (where t.from_account = 'balance'), 0) as taken
       from ledger_transfers t
       where t.account_id = $1::uuid
         and ((t.to_account = 'balance' and t.entry in ('collected', 'collected_exchanged', 'refund'))
           or (t.from_account = 'balance' and t.entry in ('collection_returned', 'collection_returned_exchanged')))
       group by t.transaction_id, t.currency
     )
     select m.transaction_id, m.brought || ' ' || m.currency as brought, m.taken || ' ' || m.currency as taken
     from moved m
     where m.taken > 0 and m.taken <> m.brought
     order by m.transaction_id
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ transaction_id, brought, taken }) => ({
    kind: 'given_back_differs',
    accountId,
    where: transaction_id ?? 'no transaction',
    expected: brought,
    found: taken,
  }));
}
