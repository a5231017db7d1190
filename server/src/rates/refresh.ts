/**
 * Keeps the rates current: brings newer ones from the source into the table, and the table into memory. Every process
 * does so at its own pace and reads again when another one says that rates changed; nothing depends on that word.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CurrencyCode } from '../money/currencies.ts';
import { isAhead } from './age.ts';
import type { RateBook, SourceStanding } from './book.ts';
import { type RateContext, readOffered, storeOffered, tooFar } from './offered.ts';
import type { RateSheet } from './sheet.ts';
import type { RateSource } from './source.ts';
import { RATES_CHANNEL, readStoredRates } from './store.ts';
import { RATE_BASE, SAMPLE_ORIGIN, type StoredRate } from './stored-rate.ts';

/**
 * The table as a sheet. What is only a sample does not exist in live mode, whatever was stored before, and what is
 * dated ahead counts there as the oldest: a pair is as old as its older half, and must be stale with it.
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
