/** The rates that a transaction is quoted at, and whether they are too old for it. Open point OP-99. */
import type { Context } from '../context.ts';
import { isStale } from '../rates/age.ts';
import { midAsOf, type RateSheet } from '../rates/sheet.ts';
import type { RateFacts } from './decide-recipients.ts';
import type { TransactionDraft } from './draft.ts';

type RateContext = Pick<Context, 'rates' | 'margins' | 'settings'>;

export function ratesNow(ctx: RateContext): RateFacts {
  return { sheet: ctx.rates.current(), margins: ctx.margins, inputRounding: ctx.settings.quotes.inputRounding };
}

/** In live mode only: a sandbox quotes at whatever it has. */
export function areRatesStale(ctx: RateContext, sheet: RateSheet, draft: TransactionDraft, now: Date): boolean {
  const { inputCurrency } = draft;
  if (ctx.settings.mode !== 'live' || !inputCurrency) return false;
  return draft.recipients.some(({ corridor, requested }) =>
    [corridor?.currency, requested?.currency].some((currency) => {
      const asOf = currency && midAsOf(sheet, inputCurrency, currency);
      return asOf !== undefined && isStale(asOf, now, ctx.settings.rates.staleAfterMs);
    }),
  );
}
