/**
 * Postings balance and nobody is overdrawn: every stored balance is the sum of its transfers, the accounts of a tenant
 * sum to zero in each currency, only those may be below zero that may, and what is held is what is in flight.
 */
import { type Invariant, rowsOf } from './invariant.ts';

const UNSUMMED = `
  with moved as (
    select t.account_id, t.currency, t.to_account as ledger_account, t.amount from ledger_transfers t
    union all
    select t.account_id, t.currency, t.from_account, -t.amount from ledger_transfers t
  ), summed as (
    select m.account_id, m.currency, m.ledger_account, sum(m.amount)::bigint as amount
    from moved m group by 1, 2, 3
  )
  select coalesce(b.currency, s.currency) as currency, coalesce(b.ledger_account, s.ledger_account) as ledger_account,
    coalesce(b.amount, 0) as stored, coalesce(s.amount, 0) as summed
  from ledger_balances b
  full join summed s on s.account_id = b.account_id and s.currency = b.currency
    and s.ledger_account = b.ledger_account
  where coalesce(b.amount, 0) <> coalesce(s.amount, 0)`;

const OVERDRAWN = `
  select b.currency, b.ledger_account, b.amount from ledger_balances b
  join accounts a on a.account_id = b.account_id
  where b.amount < 0 and b.ledger_account not in ('exchange', 'payin_settlement', 'treasury')
    and not (b.ledger_account = 'balance' and a.negative_balance)`;

/**
 * Open recipients of funded transactions, broken ones whose money was never released, and what was paid into
 * collections.
 */
const HELD = `
  with parts as (
    select r.account_id, r.input_currency as currency, sum(r.input_amount)::bigint as amount
    from recipients r
    join transactions t on t.account_id = r.account_id and t.transaction_id = r.transaction_id
    where t.funded_at is not null and not t.is_collection
      and not exists (select from ledger_transfers l where l.account_id = r.account_id
        and l.recipient_id = r.recipient_id and l.from_account = 'held')
      and not exists (select from recipients c where c.account_id = r.account_id
        and c.recipient_id = r.recipient_id and c.state = 'canceled')
    group by 1, 2
    union all
    select t.account_id, t.input_currency, sum(t.paid_amount)::bigint
    from transactions t
    where t.is_collection and t.paid_amount > 0 and not exists (select from ledger_transfers l
      where l.account_id = t.account_id and l.transaction_id = t.transaction_id and l.from_account = 'held')
    group by 1, 2
  ), open as (
    select p.account_id, p.currency, sum(p.amount)::bigint as amount from parts p group by 1, 2
  )
  select coalesce(b.currency, o.currency) as currency, coalesce(b.amount, 0) as held, coalesce(o.amount, 0) as open
  from (select * from ledger_balances where ledger_account = 'held') b
  full join open o on o.account_id = b.account_id and o.currency = b.currency
  where coalesce(b.amount, 0) <> coalesce(o.amount, 0)`;

export const books: Invariant = {
  name: 'the books balance',
  often: ({ world }) => [
    ...rowsOf(world, UNSUMMED).map(
      (row) => `${row['ledger_account']} ${row['currency']}: ${row['stored']} stored, ${row['summed']} by transfers`,
    ),
    ...rowsOf(world, OVERDRAWN).map(
      (row) => `${row['ledger_account']} ${row['currency']} is overdrawn: ${row['amount']}`,
    ),
    ...rowsOf(world, HELD).map((row) => `${row['currency']}: ${row['held']} held, ${row['open']} in flight`),
  ],
};
