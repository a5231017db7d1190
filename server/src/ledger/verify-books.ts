/**
 * The SQL of `ledger verify` about the books alone: balances, permissions, entries. One statement per check, set-based:
 * the database compares, and only differences come back.
 */
import type { Tx } from '../kernel/database.ts';
import { ALWAYS_BELOW_ZERO, ENTRIES } from './chart.ts';
import type { Difference } from './difference.ts';

/**
 * What looks at everything joins everything at once, whatever the planner knows of the tables: in a database of a few
 * seconds, just killed and started again, one of these statements kept a core busy for more than a minute.
 */
export async function joinWholeTables(tx: Tx): Promise<void> {
  await tx.execute('set local enable_nestloop = off');
}

export async function accountsAfter(tx: Tx, after: string | null, limit: number): Promise<string[]> {
  const rows = await tx.query<{ account_id: string }>(
    `select account_id
     from accounts
     where $1::uuid is null or account_id > $1::uuid
     order by account_id
     limit $2::integer`,
    [after, limit],
  );
  return rows.map((row) => row.account_id);
}

export async function accountsWithoutRow(tx: Tx, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ account_id: string }>(
    `select distinct l.account_id
     from (select account_id from ledger_balances union all select account_id from ledger_transfers) l
     left join accounts a on a.account_id = l.account_id
     where a.account_id is null
     limit $1::integer`,
    [limit],
  );
  return rows.map(({ account_id }) => ({
    kind: 'account_unknown',
    accountId: account_id,
    where: account_id,
    expected: 'an account',
    found: 'none',
  }));
}

export async function balanceDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ place: string; stored: string | null; posted: string }>(
    `with moved as (
       select t.currency, side.ledger_account, sum(side.change) as total
       from ledger_transfers t
       cross join lateral (values (t.from_account, -t.amount), (t.to_account, t.amount)) as side (ledger_account, change)
       where t.account_id = $1::uuid
       group by t.currency, side.ledger_account
     ), kept as (
       select currency, ledger_account, amount
       from ledger_balances
       where account_id = $1::uuid
     )
     select coalesce(k.currency, m.currency) || ' ' || coalesce(k.ledger_account, m.ledger_account) as place,
       k.amount::text as stored, coalesce(m.total, 0)::text as posted
     from kept k
     full join moved m on m.currency = k.currency and m.ledger_account = k.ledger_account
     where k.amount is distinct from coalesce(m.total, 0)
     order by place
     limit $2::integer`,
    [accountId, limit],
  );
  return rows.map(({ place, stored, posted }) => ({
    kind: stored === null ? 'balance_missing' : 'balance_differs',
    accountId,
    where: place,
    expected: posted,
    found: stored ?? 'none',
  }));
}

export async function permissionDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ place: string; amount: string; may: boolean; allowed: boolean; is_below: boolean }>(
    `select b.currency || ' ' || b.ledger_account as place, b.amount::text as amount, b.may_go_below_zero as may,
       p.allowed, b.amount < 0 as is_below
     from ledger_balances b
     join accounts a on a.account_id = b.account_id
     cross join lateral (
       select b.ledger_account = any($2::text[]) or (b.ledger_account = 'balance' and a.negative_balance) as allowed
     ) p
     where b.account_id = $1::uuid and a.account_id = $1::uuid
       and (b.may_go_below_zero <> p.allowed or (b.amount < 0 and not p.allowed))
     order by place
     limit $3::integer`,
    [accountId, ALWAYS_BELOW_ZERO, limit],
  );
  return rows.flatMap(({ place, amount, may, allowed, is_below }): Difference[] => {
    const at = { accountId, where: place };
    return [
      ...(may === allowed
        ? []
        : [{ ...at, kind: 'permission_differs', expected: String(allowed), found: String(may) } as const]),
      ...(is_below && !allowed ? [{ ...at, kind: 'below_zero', expected: '0 or more', found: amount } as const] : []),
    ];
  });
}

const LEGS = Object.entries(ENTRIES).flatMap(([entry, legs]) =>
  legs.map(([from, to], place) => ({ entry, from, to, place, legs: legs.length })),
);

export async function entryDifferences(tx: Tx, accountId: string, limit: number): Promise<Difference[]> {
  const rows = await tx.query<{ entry_id: string; entry: string; transfers: string }>(
    `select t.entry_id, min(t.entry) as entry, string_agg(t.from_account || ' to ' || t.to_account, ', ') as transfers
     from ledger_transfers t
     left join unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[])
         as leg (entry, from_account, to_account, place, legs)
       on leg.entry = t.entry and leg.from_account = t.from_account and leg.to_account = t.to_account
     where t.account_id = $1::uuid
     group by t.entry_id
     having count(leg.entry) <> count(*)
       or min(t.entry) <> max(t.entry)
       or count(*) <> max(leg.legs)
       or count(distinct leg.place) <> max(leg.legs)
       or count(distinct coalesce(t.transaction_id::text, '')) <> 1
       or count(distinct coalesce(t.recipient_id::text, '')) <> 1
     order by t.entry_id
     limit $7::integer`,
    [
      accountId,
      LEGS.map((leg) => leg.entry),
      LEGS.map((leg) => leg.from),
      LEGS.map((leg) => leg.to),
      LEGS.map((leg) => leg.place),
      LEGS.map((leg) => leg.legs),
      limit,
    ],
  );
  return rows.map(({ entry_id, entry, transfers }) => ({
    kind: 'entry_differs',
    accountId,
    where: entry_id,
    expected: `the transfers of ${entry}`,
    found: transfers,
  }));
}
