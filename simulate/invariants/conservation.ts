/**
 * Balances plus payouts are the money that was brought in and collected, in each currency and to the last unit: what
 * left a balance was paid out, is held or went back to its payer, and what recipients got is what providers have in
 * their books.
 */
import type { Stage } from '../stage.ts';
import { type Invariant, rowsOf } from './invariant.ts';

/** By currency, what is in the balance and held, and what it cost to pay those who were paid. */
const FOUND = `
  select f.currency, sum(f.amount)::bigint as amount from (
    select b.currency, b.amount from ledger_balances b
    where b.account_id = $1::uuid and b.ledger_account in ('balance', 'held')
    union all
    select l.currency, l.amount from ledger_transfers l
    where l.account_id = $1::uuid and l.entry = 'pay_out' and l.from_account = 'held'
  ) f group by f.currency`;

/** By currency, what payers have added for good: collected, accepted, or still held; less what went back to them. */
const ADDED = `
  with collected as (
    select t.transaction_id, t.input_currency, t.paid_amount, r.output_currency, r.output_amount,
      r.state = 'success' as is_paid,
      exists (select from payin_receipts p where p.account_id = t.account_id and p.transaction_id = t.transaction_id
        and p.place = 'held' and p.resolution = 'returned') as is_returned
    from transactions t
    join recipients r on r.account_id = t.account_id and r.transaction_id = t.transaction_id
    where t.account_id = $1::uuid and t.is_collection and t.paid_amount > 0
  )
  select a.currency, sum(a.amount)::bigint as amount from (
    select c.output_currency as currency, c.output_amount as amount from collected c where c.is_paid and not c.is_returned
    union all
    select c.input_currency, c.paid_amount from collected c where not c.is_paid and not c.is_returned
    union all
    select p.currency, p.amount from payin_receipts p where p.account_id = $1::uuid and p.resolution = 'accepted'
  ) a group by a.currency`;

function missing({ world, tenants }: Stage): string[] {
  return tenants.flatMap(({ accountId, broughtIn, name }) => {
    const sums = (query: string) =>
      new Map(rowsOf(world, query, [accountId]).map((row) => [String(row['currency']), BigInt(String(row['amount']))]));
    const found = sums(FOUND);
    const added = sums(ADDED);
    return [...new Set([...found.keys(), ...added.keys(), ...Object.keys(broughtIn)])].flatMap((currency) => {
      const expected = (broughtIn[currency] ?? 0n) + (added.get(currency) ?? 0n);
      const total = found.get(currency) ?? 0n;
      const what = `${name} brought in and collected ${expected} ${currency}, and ${total} can be found`;
      return total === expected ? [] : [what];
    });
  });
}

const SETTLED = `
  select b.currency, sum(b.amount)::bigint as amount from ledger_balances b
  where b.ledger_account = 'payout_settlement' group by b.currency`;
/**
 * Left to people, with what is posted for it. What was paid after its refund has to be; otherwise nothing is where less
 * was paid than was ordered, even when another provider pays in full meanwhile, and it is where somebody paid first and
 * said otherwise later.
 */
const UNDECIDED = `
  select r.recipient_id, r.output_currency as currency,
    coalesce(sum(l.amount) filter (where l.to_account = 'payout_settlement'), 0)::bigint as posted,
    coalesce(bool_or(l.entry = 'refund'), false) as is_refunded
  from recipients r
  left join ledger_transfers l on l.account_id = r.account_id and l.recipient_id = r.recipient_id
  where r.state = 'exception'
  group by r.recipient_id, r.output_currency`;

function unsettled({ world }: Stage): string[] {
  const undecided = new Map(rowsOf(world, UNDECIDED).map((row) => [String(row['recipient_id']), row]));
  const paid = new Map<string, bigint>();
  const add = (currency: string, minor: bigint) => paid.set(currency, (paid.get(currency) ?? 0n) + minor);
  const paidTo = new Map<string, { minor: bigint; isContradicted: boolean }[]>();
  for (const { truth, order, isContradicted } of world.book.all()) {
    if (truth.kind !== 'paid') continue;
    if (undecided.has(order.recipientId)) {
      paidTo.set(order.recipientId, [...(paidTo.get(order.recipientId) ?? []), { minor: truth.minor, isContradicted }]);
    } else add(order.amount.currency, truth.minor);
  }
  const wrong = [...undecided].flatMap(([recipientId, row]) => {
    const posted = BigInt(String(row['posted']));
    add(String(row['currency']), posted);
    const payments = paidTo.get(recipientId) ?? [];
    const late = payments.filter((payment) => payment.isContradicted).reduce((sum, { minor }) => sum + minor, 0n);
    const isRight = row['is_refunded'] ? posted === late : sumsOf(payments).includes(posted);
    return isRight
      ? []
      : [`${posted} are posted for ${recipientId}, who is left to people, and that is not what was paid`];
  });
  const settled = new Map(rowsOf(world, SETTLED).map((row) => [String(row['currency']), row['amount']]));
  return [...new Set([...paid.keys(), ...settled.keys()])]
    .filter((currency) => (paid.get(currency) ?? 0n) !== (settled.get(currency) ?? 0n))
    .map((currency) => `${currency}: providers paid ${paid.get(currency)}, our books say ${settled.get(currency)}`)
    .concat(wrong);
}

/** What some of them, or none, come to. */
function sumsOf(payments: readonly { readonly minor: bigint }[]): bigint[] {
  return payments.reduce<bigint[]>((sums, { minor }) => sums.concat(sums.map((sum) => sum + minor)), [0n]);
}

export const conservation: Invariant = {
  name: 'no money appears or disappears',
  often: missing,
  atEnd: unsettled,
};
