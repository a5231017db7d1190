/**
 * The mid rates in force, as rows: units of each currency per one US dollar, the same for every process. The newest
 * word for a currency wins, whoever said it; that of an operator is the newest when it is said (in-force.ts). A quote
 * stores the rate it used, so these rows are only about the next one.
 */
import { assert, present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { type CurrencyCode, isCurrency } from '../money/currencies.ts';
import { parseRate, rateFromDecimal } from './rate.ts';
import { exactText, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

/** Whoever changes a rate says so here, so that other processes read it before their next turn. */
export const RATES_CHANNEL = 'payferry_rates';

interface RateRow {
  currency: string;
  per_base: string;
  as_of: Date;
  origin: string;
}

export async function readStoredRates(tx: Tx): Promise<StoredRate[]> {
  const rows = await tx.query<RateRow>('select currency, per_base, as_of, origin from mid_rates order by currency');
  return rows.map(rateOf);
}

export async function lockStoredRate(tx: Tx, currency: CurrencyCode): Promise<StoredRate | undefined> {
  const rows = await tx.query<RateRow>(
    'select currency, per_base, as_of, origin from mid_rates where currency = $1::text for update',
    [currency],
  );
  return rows[0] && rateOf(rows[0]);
}

/** Stores those that are newer than what is there, and gives their currencies. Sorted, against deadlocks. */
export async function storeNewerRates(
  tx: Tx,
  rates: readonly StoredRate[],
  storedAt: Date,
): Promise<readonly string[]> {
  if (rates.length === 0) return [];
  const rows = await tx.query<{ currency: string }>(
    `insert into mid_rates as m (currency, per_base, as_of, origin, stored_at)
     select u.currency, u.per_base, u.as_of, u.origin, $5::timestamptz
     from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[]) as u (currency, per_base, as_of, origin)
     order by u.currency
     on conflict (currency) do update
       set per_base = excluded.per_base, as_of = excluded.as_of, origin = excluded.origin,
         stored_at = excluded.stored_at
       where case when (m.origin = $6::text) = (excluded.origin = $6::text) then m.as_of < excluded.as_of
         else m.origin = $6::text end
     returning currency`,
    [
      rates.map((each) => each.currency),
      rates.map((each) => exactText(each.rate)),
      rates.map((each) => each.asOf),
      rates.map((each) => each.origin),
      storedAt,
      SAMPLE_ORIGIN,
    ],
  );
  return rows.map((row) => row.currency);
}

/** Whatever its time is. To be called with the row locked. */
export async function replaceRate(tx: Tx, { currency, rate, asOf, origin }: StoredRate, storedAt: Date): Promise<void> {
  const updated = await tx.execute(
    `update mid_rates
     set per_base = $2::text, as_of = $3::timestamptz, origin = $4::text, stored_at = $5::timestamptz
     where currency = $1::text`,
    [currency, exactText(rate), asOf, origin, storedAt],
  );
  assert(updated === 1, 'a rate that is replaced was stored');
}

/** Sent when the transaction commits. */
export async function announceRates(tx: Tx): Promise<void> {
  await tx.query('select pg_notify($1::text, $2::text)', [RATES_CHANNEL, '']);
}

function rateOf(row: RateRow): StoredRate {
  const { currency } = row;
  assert(isCurrency(currency), `a rate is stored for a currency of the service, not for ${currency}`);
  const rate = present(rateFromDecimal(row.per_base) ?? parseRate(row.per_base), `the rate of ${currency}`);
  return { currency, rate, asOf: row.as_of, origin: row.origin };
}
