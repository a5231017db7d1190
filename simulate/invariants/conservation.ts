/**
 * Balances plus payouts are the money that was brought in, in each currency and to the last unit: what left a balance
 * was paid out or is held, and what recipients got is what providers have in their books.
 */
import type { Stage } from '../stage.ts';
import { type Invariant, rowsOf } from './invariant.ts';

const BALANCES = `
  select b.currency, b.ledger_account, b.amount from ledger_balances b where b.account_id = $1::uuid`;
/** What it cost to pay those who were paid. */
const SPENT = `
  select l.currency, sum(l.amount)::bigint as amount from ledger_transfers l
  join recipients r on r.account_id = l.account_id and r.recipient_id = l.recipient_id
  where l.account_id = $1::uuid and l.from_account = 'held' and l.to_account = 'exchange'
  group by l.currency`;

function missing({ world, tenants }: Stage): string[] {
  return tenants.flatMap(({ accountId, broughtIn, name }) => {
    const amounts = new Map(
      rowsOf(world, BALANCES, [accountId]).map((row) => [`${row['currency']} ${row['ledger_account']}`, row['amount']]),
    );
    const spent = new Map(rowsOf(world, SPENT, [accountId]).map((row) => [row['currency'], row['amount']]));
    return Object.entries(broughtIn).flatMap(([currency, minor]) => {
      const parts = [amounts.get(`${currency} balance`), amounts.get(`${currency} held`), spent.get(currency)];
      const total = parts.reduce<bigint>((sum, part) => sum + (typeof part === 'bigint' ? part : 0n), 0n);
      return total === minor ? [] : [`${name} brought in ${minor} ${currency}, and ${total} can be found`];
    });
  });
}

const SETTLED = `
  select b.currency, sum(b.amount)::bigint as amount from ledger_balances b
  where b.ledger_account = 'payout_settlement' group by b.currency`;
/** Held back for people: paid less than ordered, not posted until somebody decides. */
const UNPOSTED = `
  select r.recipient_id from recipients r where r.state = 'exception'`;

function unsettled({ world }: Stage): string[] {
  const undecided = new Set(rowsOf(world, UNPOSTED).map((row) => row['recipient_id']));
  const paid = new Map<string, bigint>();
  for (const { truth, order, isContradicted } of world.book.all()) {
    if (truth.kind !== 'paid') continue;
    if (undecided.has(order.recipientId) && !isContradicted) continue;
    paid.set(order.amount.currency, (paid.get(order.amount.currency) ?? 0n) + truth.minor);
  }
  const settled = new Map(rowsOf(world, SETTLED).map((row) => [String(row['currency']), row['amount']]));
  return [...new Set([...paid.keys(), ...settled.keys()])]
    .filter((currency) => (paid.get(currency) ?? 0n) !== (settled.get(currency) ?? 0n))
    .map((currency) => `${currency}: providers paid ${paid.get(currency)}, our books say ${settled.get(currency)}`);
}

export const conservation: Invariant = {
  name: 'no money appears or disappears',
  often: missing,
  atEnd: unsettled,
};
