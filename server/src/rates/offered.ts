/** What a source of rates offers, and how it gets into the table: all of it or nothing, but for rates that jump. */
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Settings } from '../settings/shape.ts';
import { isAhead, MAX_RATE_AHEAD_MINUTES } from './age.ts';
import { isJump, jumpText } from './jump.ts';
import { MAX_WRITTEN_RATE_DIGITS, type Rate } from './rate.ts';
import { mid, RateDataInvalid, type RateSheet } from './sheet.ts';
import type { RateSource } from './source.ts';
import { announceRates, readStoredRates, storeNewerRates } from './store.ts';
import { FILE_ORIGIN, RATE_BASE, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

/** What it needs of the context, which holds the book of rates and therefore cannot be named here. */
export interface RateContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: Log;
}

const WRITTEN_LIMIT = 10n ** BigInt(MAX_WRITTEN_RATE_DIGITS);

/** What the source says, as it would be stored. Throws RateDataInvalid, and what the source throws. */
export async function readOffered(ctx: RateContext, source: RateSource): Promise<readonly StoredRate[]> {
  const sheet = await source.read();
  if (sheet.sample && ctx.settings.mode === 'live') {
    throw new RateDataInvalid('rates', ['the sheet is marked as a sample; live mode does not use made-up prices']);
  }
  const offered = perBase(sheet);
  refuseAhead(sheet, offered, ctx.clock.now());
  return offered;
}

/** A rate that lies too far from the one in force. */
interface Jump {
  readonly currency: CurrencyCode;
  readonly says: string;
}

/**
 * Stores what is newer than the table, and gives those currencies. What lies too far from the rate in force is left
 * out.
 */
export async function storeOffered(
  ctx: RateContext,
  offered: readonly StoredRate[],
): Promise<{ readonly changed: readonly string[]; readonly jumps: readonly Jump[] }> {
  const { maxChangePercent } = ctx.settings.rates;
  return ctx.db.inTx(async (tx) => {
    // Looking first keeps the usual turn, which brings nothing new, free of writes and locks.
    const stored = new Map((await readStoredRates(tx)).map((each) => [each.currency, each]));
    const newer = offered.filter((each) => isNewer(each, stored.get(each.currency)));
    const jumps = newer.flatMap(({ currency, rate }) => {
      const before = stored.get(currency);
      return before && isJump(before, rate, maxChangePercent)
        ? [{ currency, says: jumpText(before, rate, maxChangePercent) }]
        : [];
    });
    const taken = newer.filter(({ currency }) => !jumps.some((jump) => jump.currency === currency));
    const changed = await storeNewerRates(tx, taken, ctx.clock.now());
    if (changed.length > 0) await announceRates(tx);
    return { changed, jumps };
  });
}

export function tooFar(jumps: readonly Jump[]): RateDataInvalid {
  return new RateDataInvalid(
    'rates',
    jumps.map(({ says }) => says),
  );
}

/** A sample is of no time: it gives way to every rate of somebody's own, and replaces none. */
function isNewer(offered: StoredRate, stored: StoredRate | undefined): boolean {
  if (stored === undefined) return true;
  const wasSample = stored.origin === SAMPLE_ORIGIN;
  return wasSample === (offered.origin === SAMPLE_ORIGIN) ? stored.asOf < offered.asOf : wasSample;
}

/** A sample is of no time: it serves a sandbox, whatever its clock says. */
function refuseAhead({ sample }: RateSheet, offered: readonly StoredRate[], now: Date): void {
  const ahead = sample ? undefined : offered.find(({ asOf }) => isAhead(asOf, now));
  if (ahead === undefined) return;
  const mistake = `${ahead.asOf.toISOString()} is more than ${MAX_RATE_AHEAD_MINUTES} minutes ahead of the clock`;
  throw new RateDataInvalid('rates', [mistake]);
}

/** Every rate of the sheet against our base, whatever base the sheet was written in. */
function perBase(sheet: RateSheet): StoredRate[] {
  const origin = sheet.sample ? SAMPLE_ORIGIN : FILE_ORIGIN;
  const mistakes: string[] = [];
  const rates: StoredRate[] = [];
  for (const currency of [sheet.base, ...sheet.rates.keys()]) {
    if (currency === RATE_BASE) continue;
    const rate = mid(sheet, RATE_BASE, currency);
    if (rate === undefined) mistakes.push(`no rate for ${RATE_BASE}, which all others are kept against`);
    else if (!isShortEnough(rate)) mistakes.push(`${currency}: too many digits when brought to ${RATE_BASE}`);
    else rates.push({ currency, rate, asOf: sheetTime(sheet, currency), origin });
  }
  if (mistakes.length > 0) throw new RateDataInvalid('rates', [...new Set(mistakes)]);
  return rates;
}

/** What is stored is as short as what somebody may write down, so that cross rates stay within their bound. */
function isShortEnough(rate: Rate): boolean {
  return rate.num < WRITTEN_LIMIT && rate.den < WRITTEN_LIMIT;
}

function sheetTime(sheet: RateSheet, currency: CurrencyCode): Date {
  return sheet.rates.get(currency)?.asOf ?? sheet.asOf;
}
