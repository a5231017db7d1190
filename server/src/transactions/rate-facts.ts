/** The rates that a transaction is quoted at, and whether they are too old for it. Open point OP-99. */
import type { Context } from '../context.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { isStale } from '../rates/age.ts';
import type { Rate } from '../rates/rate.ts';
import { mid, midAsOf, type RateSheet } from '../rates/sheet.ts';
import type { RateFacts } from './decide-recipients.ts';
import type { TransactionDraft } from './draft.ts';

type RateContext = Pick<Context, 'rates' | 'margins' | 'settings'>;

export function ratesFor(ctx: RateContext, { inputCurrency }: TransactionDraft, now: Date): RateFacts {
  const sheet = ctx.rates.current();
  return {
    sheet,
    margins: ctx.margins,
    usdRate: inputCurrency && usableMid(ctx, sheet, [inputCurrency, 'USD'], now),
    inputRounding: ctx.settings.quotes.inputRounding,
  };
}

/** A payout in one currency is quoted without a rate, so that it comes here however old they all are. */
function usableMid(ctx: RateContext, sheet: RateSheet, pair: Pair, now: Date): Rate | undefined {
  return isTooOld(ctx, sheet, pair, now) ? undefined : mid(sheet, ...pair);
}

/** In live mode only: a sandbox quotes at whatever it has. */
export function areRatesStale(ctx: RateContext, sheet: RateSheet, draft: TransactionDraft, now: Date): boolean {
  const { inputCurrency } = draft;
  if (!inputCurrency) return false;
  return draft.recipients.some(({ corridor, requested }) =>
    [corridor?.currency, requested?.currency].some(
      (currency) => currency && isTooOld(ctx, sheet, [inputCurrency, currency], now),
    ),
  );
}

type Pair = readonly [from: CurrencyCode, to: CurrencyCode];

function isTooOld({ settings }: RateContext, sheet: RateSheet, pair: Pair, now: Date): boolean {
  if (settings.mode !== 'live') return false;
  const asOf = midAsOf(sheet, ...pair);
  return asOf !== undefined && isStale(asOf, now, settings.rates.staleAfterMs);
}
