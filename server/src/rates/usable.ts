/**
 * The rates that are shown: in live mode without those of stale currencies, because nothing is quoted at them. A pair
 * is as old as its older half, so that a currency that is stale takes all its pairs with it. Open point OP-99.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Settings } from '../settings/shape.ts';
import { isStale } from './age.ts';
import type { RateBook } from './book.ts';
import type { RateSheet } from './sheet.ts';

interface UsableContext {
  readonly rates: RateBook;
  readonly settings: Settings;
  readonly clock: Clock;
}

/** The same sheet as long as the same rates are usable, so that what is made of it can be kept. */
export function usableRates({ rates, settings, clock }: UsableContext): () => RateSheet {
  let last: { readonly of: RateSheet; readonly names: string; readonly usable: RateSheet } | undefined;
  return () => {
    const sheet = rates.current();
    if (settings.mode !== 'live') return sheet;
    const now = clock.now();
    const fresh = [...sheet.rates].filter(([, { asOf }]) => !isStale(asOf, now, settings.rates.staleAfterMs));
    if (fresh.length === sheet.rates.size) return sheet;
    const names = fresh.map(([code]) => code).join();
    if (last?.of !== sheet || last.names !== names) {
      last = { of: sheet, names, usable: { ...sheet, rates: new Map(fresh) } };
    }
    return last.usable;
  };
}
