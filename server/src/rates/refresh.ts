/**
 * Keeps the rates current: brings newer ones from the source into the table, and the table into memory. Every process
 * does so at its own pace and reads again when another one says that rates changed; nothing depends on that word.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Settings } from '../settings/shape.ts';
import type { RateBook, SourceStanding } from './book.ts';
import { isJump, jumpText } from './jump.ts';
import { MAX_WRITTEN_RATE_DIGITS, type Rate } from './rate.ts';
import { mid, RateDataInvalid, type RateSheet } from './sheet.ts';
import type { RateSource } from './source.ts';
import { announceRates, RATES_CHANNEL, readStoredRates, storeNewerRates } from './store.ts';
import { FILE_ORIGIN, RATE_BASE, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

/** What it needs of the context, which holds the book of rates and therefore cannot be named here. */
export interface RateContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: Log;
}

const WRITTEN_LIMIT = 10n ** BigInt(MAX_WRITTEN_RATE_DIGITS);

const MS_PER_MINUTE = 60_000;
/** How far the clocks of whoever writes rates and of our processes may differ. */
export const MAX_RATE_AHEAD_MS = 5 * MS_PER_MINUTE;

/** A time that has not come yet. Believed, it would win over every right rate until it comes. */
export function isAhead(asOf: Date, now: Date): boolean {
  return asOf.getTime() - now.getTime() > MAX_RATE_AHEAD_MS;
}

/** The age from which a rate is no longer used where money is real. One from the future tells nothing of its age. */
export function isStale(asOf: Date, now: Date, staleAfterMs: number): boolean {
  return isAhead(asOf, now) || now.getTime() - asOf.getTime() >= staleAfterMs;
}

/**
 * Stores what the source has newer than the table, and gives those currencies. Throws RateDataInvalid, about single
 * rates that lie too far from those in force only once the others are stored.
 */
export async function refreshRates(ctx: RateContext, source: RateSource): Promise<readonly string[]> {
  const { changed, jumps } = await storeOffered(ctx, await readOffered(ctx, source));
  if (jumps.length > 0) throw tooFar(jumps);
  return changed;
}

/** What the source says, as it would be stored. Throws RateDataInvalid, and what the source throws. */
async function readOffered(ctx: RateContext, source: RateSource): Promise<readonly StoredRate[]> {
  const sheet = await source.read();
  if (sheet.sample && ctx.settings.mode === 'live') {
    throw new RateDataInvalid('rates', ['the sheet is marked as a sample; live mode does not use made-up prices']);
  }
  const offered = perBase(sheet);
  refuseAhead(sheet, offered, ctx.clock.now());
  return offered;
}

interface Jump {
  readonly currency: CurrencyCode;
  readonly says: string;
}

async function storeOffered(
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

function tooFar(jumps: readonly Jump[]): RateDataInvalid {
  return new RateDataInvalid(
    'rates',
    jumps.map(({ says }) => says),
  );
}

function isNewer(offered: StoredRate, stored: StoredRate | undefined): boolean {
  return stored === undefined || stored.asOf < offered.asOf;
}

/**
 * The table as a sheet. What is only a sample does not exist in live mode, whatever was stored before, and what is dated
 * ahead counts there as the oldest: a pair is as old as its older half, and must be stale with it.
 */
export async function loadRates(ctx: RateContext): Promise<RateSheet> {
  const stored = await ctx.db.inTx((tx) => readStoredRates(tx));
  const usable = ctx.settings.mode === 'sandbox' ? stored : usableLive(stored, ctx.clock.now());
  return {
    base: RATE_BASE,
    asOf: new Date(Math.max(0, ...usable.map((each) => each.asOf.getTime()))),
    sample: usable.some((each) => each.origin === SAMPLE_ORIGIN),
    rates: new Map(usable.map(({ currency, rate, asOf }) => [currency, { rate, asOf }])),
  };
}

/** Reads everything once, so that the first caller finds rates, and then keeps them current until closed. */
export async function openRateBook(ctx: RateContext, source: RateSource | undefined): Promise<RateBook> {
  const stop = new AbortController();
  let sheet: RateSheet | undefined;
  let standing: SourceStanding | undefined;
  let lastTurn: Promise<void> = Promise.resolve();
  const warn = warnOnce(ctx);

  async function takeFrom(of: RateSource): Promise<void> {
    const offered = await readOffered(ctx, of).catch(warn);
    standing = { isBroken: offered === undefined, refused: offered ? (standing?.refused ?? NOTHING) : NOTHING };
    // A database that is away says nothing about the source.
    const stored = offered && (await storeOffered(ctx, offered).catch(warn));
    if (!stored) return;
    standing = { isBroken: false, refused: new Set(stored.jumps.map(({ currency }) => currency)) };
    if (stored.jumps.length > 0) warn(tooFar(stored.jumps));
  }

  /** Turns follow one another, so that what was read earlier never replaces what was read later. */
  const turn = (fromSource: boolean): Promise<void> => {
    lastTurn = lastTurn.then(async () => {
      // A source that fails leaves the table as it is: old rates serve until they are stale.
      if (fromSource && source) await takeFrom(source);
      const loaded = await loadRates(ctx).catch(warn);
      if (loaded) sheet = loaded;
    });
    return lastTurn;
  };

  async function keepCurrent(): Promise<void> {
    while (!stop.signal.aborted) {
      await sleep(ctx.settings.rates.refreshEveryMs, undefined, { signal: stop.signal }).catch(() => undefined);
      if (!stop.signal.aborted) await turn(true);
    }
  }

  await turn(true);
  sheet ??= await loadRates(ctx);
  const first = sheet;
  const stopListening = await ctx.db.listen(RATES_CHANNEL, () => void turn(false));
  const kept = keepCurrent();
  return {
    current: () => sheet ?? first,
    source: () => standing,
    refresh: () => turn(true),
    close: async () => {
      stop.abort();
      await stopListening();
      await kept;
      await lastTurn;
    },
  };
}

function usableLive(stored: readonly StoredRate[], now: Date): StoredRate[] {
  return stored
    .filter(({ origin }) => origin !== SAMPLE_ORIGIN)
    .map((each) => (isAhead(each.asOf, now) ? { ...each, asOf: OLDEST } : each));
}

const OLDEST = new Date(0);
const NOTHING: ReadonlySet<CurrencyCode> = new Set();

/** A sample is of no time: it serves a sandbox, whatever its clock says. */
function refuseAhead({ sample }: RateSheet, offered: readonly StoredRate[], now: Date): void {
  const ahead = sample ? undefined : offered.find(({ asOf }) => isAhead(asOf, now));
  if (ahead === undefined) return;
  const minutes = MAX_RATE_AHEAD_MS / MS_PER_MINUTE;
  const mistake = `${ahead.asOf.toISOString()} is more than ${minutes} minutes ahead of the clock`;
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

/** A source that stays broken is told about when it breaks, not at every turn. */
function warnOnce(ctx: RateContext): (fault: unknown) => undefined {
  let last = '';
  return (fault) => {
    const message = fault instanceof Error ? fault.message : String(fault);
    if (message !== last) ctx.log.warn('rates could not be refreshed', {}, fault);
    last = message;
    return undefined;
  };
}
