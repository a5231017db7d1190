/**
 * The SQL of `ledger verify` about money in flight: what transactions hold, what left for each recipient, and the
 * debits that funded them. One statement per check, set-based: only differences come back.
 */
import type { Tx } from '../kernel/database.ts';
import { type Difference, RECIPIENTS_HOLDING, RECIPIENTS_RELEASED, RECIPIENTS_UNDECIDED } from './difference.ts';

interface HeldRow {
  transaction_id: string | null;
  is_known: boolean;
  currency: string;
  paid_amount: string;
  paid_in: string;
  held: string;
  least: string;
  most: string;
}

/**
 * A transaction that was not funded holds nothing; a funded one holds what its recipients still have to get. A
 * collection holds all that was paid into it until it is paid out: another amount may have come in than was asked for.
 */
export async function heldDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<HeldRow>(
    `with moved as (
       select t.transaction_id, t.currency,
         sum(t.amount) filter (where t.to_account = 'held') as paid_in,
         sum(case when t.to_account = 'held' then t.amount else -t.amount end) as held
       from ledger_transfers t
       where t.account_id = $1::uuid and (t.from_account = 'held' or t.to_account = 'held')
       group by t.transaction_id, t.currency
     ), owed as (
       select r.transaction_id,
         sum(r.input_amount) filter (where r.state = any($2::text[])) as least,
         sum(r.input_amount) filter (where r.state = any($3::text[])) as undecided
       from recipients r
       where r.account_id = $1::uuid
       group by r.transaction_id
     ), known as (
       select x.transaction_id, x.input_currency, x.paid_amount,
         case when x.funded_at is null then 0
           when x.is_collection and o.least is not null then x.paid_amount
           else coalesce(o.least, 0) end as least,
         case when x.funded_at is null then 0
           when x.is_collection and coalesce(o.least, o.undecided) is not null then x.paid_amount
           else coalesce(o.least, 0) + coalesce(o.undecided, 0) end as most
       from transactions x
       left join owed o on o.transaction_id = x.transaction_id
       where x.account_id = $1::uuid
     )
     select coalesce(k.transaction_id, m.transaction_id) as transaction_id, k.transaction_id is not null as is_known,
       coalesce(m.currency, k.input_currency) as currency,
       coalesce(k.paid_amount, 0)::text as paid_amount, coalesce(m.paid_in, 0)::text as paid_in,
       coalesce(m.held, 0)::text as held, coalesce(k.least, 0)::text as least, coalesce(k.most, 0)::text as most
     from known k
     full join moved m on m.transaction_id = k.transaction_id and m.currency = k.input_currency
     where k.transaction_id is null
       or k.paid_amount <> coalesce(m.paid_in, 0)
       or coalesce(m.held, 0) not between k.least and k.most
     order by transaction_id
     limit $4::integer`,
    [accountId, RECIPIENTS_HOLDING, RECIPIENTS_UNDECIDED, limit],
  );
  return rows.flatMap((row) => heldDifferencesOf(accountId, row));
}

function heldDifferencesOf(accountId: string, row: HeldRow): Difference[] {
  const where = row.transaction_id ?? 'no transaction';
  if (!row.is_known) {
    const found = `${row.held} ${row.currency}`;
    return [{ kind: 'held_of_nobody', accountId, where, expected: 'nothing', found }];
  }
  const differences: Difference[] = [];
  if (row.paid_amount !== row.paid_in) {
    const { paid_in: expected, paid_amount: found } = row;
    differences.push({ kind: 'paid_amount_differs', accountId, where, expected, found });
  }
  if (BigInt(row.held) < BigInt(row.least) || BigInt(row.held) > BigInt(row.most)) {
    const expected = row.least === row.most ? row.least : `${row.least} to ${row.most}`;
    differences.push({ kind: 'held_differs', accountId, where, expected, found: row.held });
  }
  return differences;
}

/**
 * What leaves `held` for a recipient, paid or refunded, is its whole part, once, out of its own transaction, and only
 * when it is not open; and of one who is paid or refunded it has left.
 */
export async function releaseDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ recipient_id: string; released: string; state: string | null; part: string | null }>(
    `with released as (
       select t.recipient_id, sum(t.amount) as amount, min(t.transaction_id::text) as first_transaction,
         max(t.transaction_id::text) as last_transaction
       from ledger_transfers t
       where t.account_id = $1::uuid and t.from_account = 'held' and t.recipient_id is not null
       group by t.recipient_id
     ), known as (
       select r.recipient_id, r.transaction_id::text as transaction_id, r.state, r.input_amount
       from recipients r
       where r.account_id = $1::uuid
     )
     select coalesce(k.recipient_id, m.recipient_id) as recipient_id, coalesce(m.amount, 0)::text as released, k.state,
       k.input_amount::text as part
     from known k
     full join released m on m.recipient_id = k.recipient_id
     where k.recipient_id is null
       or (m.recipient_id is null and k.state = any($3::text[]))
       or m.amount <> k.input_amount or (m.recipient_id is not null and k.state = any($2::text[]))
       or m.first_transaction <> k.transaction_id or m.last_transaction <> k.transaction_id
     order by 1
     limit $4::integer`,
    [accountId, RECIPIENTS_HOLDING, RECIPIENTS_RELEASED, limit],
  );
  return rows.map(({ recipient_id, released, state, part }) => ({
    kind: 'released_differs',
    accountId,
    where: recipient_id,
    expected: part === null ? 'a recipient' : `${part}, and no longer open`,
    found: `${released}, ${state ?? 'none'}`,
  }));
}

export async function debitDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ transaction_id: string | null; debited: string | null; funded: string | null }>(
    `with debited as (
       select transaction_id, currency, amount
       from debits
       where account_id = $1::uuid
     ), funded as (
       select transaction_id, currency, sum(amount) as amount, count(*) as transfers
       from ledger_transfers
       where account_id = $1::uuid and entry = 'fund'
       group by transaction_id, currency
     )
     select coalesce(d.transaction_id, f.transaction_id) as transaction_id,
       d.amount || ' ' || d.currency as debited, f.amount || ' ' || f.currency as funded
     from debited d
     full join funded f on f.transaction_id = d.transaction_id and f.currency = d.currency
     where d.amount is distinct from f.amount or f.transfers <> 1
     order by transaction_id
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ transaction_id, debited, funded }) => ({
    kind: 'debit_differs',
    accountId,
    where: transaction_id ?? 'no transaction',
    expected: debited ?? 'no debit',
    found: funded ?? 'no funding entry',
  }));
}
