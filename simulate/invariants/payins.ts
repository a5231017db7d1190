/**
 * Everything that payers have sent, by the payin providers' own book, is in exactly one place: held or collected, in
 * suspense, accepted, or returned. Nothing is in the books that nobody sent, and at the end nothing is missing.
 */
import type { PayinEntry } from '../outside/payin-book.ts';
import type { Stage } from '../stage.ts';
import type { World } from '../world.ts';
import { type Invariant, type Row, rowsOf } from './invariant.ts';

const RECEIPTS = `
  select p.account_id, p.transaction_id, p.provider, p.payment_reference, p.currency, p.amount, p.place, p.resolution,
    (select string_agg(concat_ws(' ', l.from_account, l.to_account, l.currency, l.amount), ', ')
     from ledger_transfers l where l.account_id = p.account_id and l.entry_id = p.entry_id) as posted
  from payin_receipts p
  order by p.payment_reference`;

/** What payers have with us, by their payments, and by the books. */
const SIDES = `
  with told as (
    select p.account_id, p.currency,
      sum(case when p.resolution = 'returned' then 0 else p.amount end)::bigint as with_us,
      sum(case when p.place = 'suspense' and p.resolution is null then p.amount else 0 end)::bigint as waiting
    from payin_receipts p group by 1, 2
  ), books as (
    select b.account_id, b.currency,
      sum(case when b.ledger_account = 'payin_settlement' then -b.amount else 0 end)::bigint as with_us,
      sum(case when b.ledger_account = 'suspense' then b.amount else 0 end)::bigint as waiting
    from ledger_balances b where b.ledger_account in ('payin_settlement', 'suspense') group by 1, 2
  )
  select coalesce(t.currency, b.currency) as currency, coalesce(t.with_us, 0) as told, coalesce(b.with_us, 0) as posted,
    coalesce(t.waiting, 0) as told_waiting, coalesce(b.waiting, 0) as posted_waiting
  from told t
  full join books b on b.account_id = t.account_id and b.currency = t.currency
  where coalesce(t.with_us, 0) <> coalesce(b.with_us, 0) or coalesce(t.waiting, 0) <> coalesce(b.waiting, 0)`;

interface Sent {
  readonly entry: PayinEntry;
  readonly minor: bigint;
}

const keyOf = (provider: unknown, reference: unknown) => `${provider} ${reference}`;

function sentIn(world: World): Map<string, Sent> {
  const sent = new Map<string, Sent>();
  for (const entry of world.payinBook.all()) {
    for (const { reference, minor } of entry.payments) sent.set(keyOf(entry.provider, reference), { entry, minor });
  }
  return sent;
}

function wrongWith(row: Row, sent: Sent | undefined): string[] {
  const name = row['payment_reference'];
  if (sent === undefined) return [`${name} is in the books, and nobody sent it`];
  const { entry, minor } = sent;
  const { accountId, transactionId, amount } = entry.order;
  const isSame = row['account_id'] === accountId && row['transaction_id'] === transactionId;
  const wrong: string[] = [];
  if (!isSame) wrong.push(`${name} was recorded for another collection`);
  if (row['amount'] !== minor || row['currency'] !== amount.currency) {
    wrong.push(`${name} was ${minor} ${amount.currency}, and is ${row['amount']} ${row['currency']}`);
  }
  const posting = `payin_settlement ${row['place']} ${row['currency']} ${row['amount']}`;
  if (row['posted'] !== posting) wrong.push(`${name} is in ${row['place']}, and was posted as ${row['posted']}`);
  return wrong;
}

function wrongNow({ world }: Stage): string[] {
  const sent = sentIn(world);
  const told = new Set<string>();
  const wrong: string[] = [];
  for (const row of rowsOf(world, RECEIPTS)) {
    const key = keyOf(row['provider'], row['payment_reference']);
    if (told.has(key)) wrong.push(`${row['payment_reference']} was recorded twice`);
    told.add(key);
    wrong.push(...wrongWith(row, sent.get(key)));
  }
  for (const row of rowsOf(world, SIDES)) {
    wrong.push(
      `${row['currency']}: payments come to ${row['told']} (${row['told_waiting']} waiting), ` +
        `the books to ${row['posted']} (${row['posted_waiting']} waiting)`,
    );
  }
  return wrong;
}

function missingAtEnd({ world }: Stage): string[] {
  const told = new Set(rowsOf(world, RECEIPTS).map((row) => keyOf(row['provider'], row['payment_reference'])));
  return [...sentIn(world).keys()].filter((key) => !told.has(key)).map((key) => `${key} was sent, and is nowhere`);
}

export const payins: Invariant = {
  name: 'what payers sent is in one place',
  often: wrongNow,
  atEnd: missingAtEnd,
};
