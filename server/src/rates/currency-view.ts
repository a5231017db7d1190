/**
 * Currencies and rates as the API shows them. Spec: endpoints 12 and 13, Currency rates. Open points OP-29, OP-30,
 * OP-48 and OP-81. `primary` is left out: nobody has said what it means.
 */
import { amount, MAX_MINOR } from '../money/amount.ts';
import { CURRENCIES, type CurrencyCode, currencyOf } from '../money/currencies.ts';
import { toDecimalString } from '../money/format.ts';
import { unitMinor } from '../money/rounding.ts';
import { type MarginTable, marginOf, quoted } from './margins.ts';
import { rateToJsonNumber } from './rate.ts';
import { mid, type RateSheet } from './sheet.ts';

export function viewCurrency(code: CurrencyCode, sheet: RateSheet) {
  const { name, symbol, decimals, minorDigits } = currencyOf(code);
  const inUsd = mid(sheet, code, 'USD');
  return {
    code,
    name,
    symbol,
    decimals,
    subunit_to_unit: String(10 ** minorDigits),
    // The least and the largest amount that the service itself handles; corridors may allow less.
    min: toDecimalString(amount(unitMinor(code), code)),
    max: toDecimalString(amount(MAX_MINOR - (MAX_MINOR % unitMinor(code)), code)),
    usd_equivalent: inUsd === undefined ? null : String(rateToJsonNumber(inUsd)),
  };
}

export interface Exchange {
  readonly sheet: RateSheet;
  readonly margins: MarginTable;
  /** Currencies in which somebody can be paid. */
  readonly outputs: ReadonlySet<CurrencyCode>;
}

/** Every currency that can be paid in, with the rates to those that can be paid out. */
export function viewInputs({ sheet, margins, outputs }: Exchange) {
  return codes().map((from) => ({
    ...viewCurrency(from, sheet),
    opposites: codes().flatMap((to) =>
      outputs.has(to) ? viewOpposite({ sheet, margins }, { from, to, shown: to }) : [],
    ),
  }));
}

/** Every currency that can be paid out, with the rates from those that can be paid in. */
export function viewOutputs({ sheet, margins, outputs }: Exchange) {
  return codes()
    .filter((to) => outputs.has(to))
    .map((to) => ({
      ...viewCurrency(to, sheet),
      opposites: codes().flatMap((from) => viewOpposite({ sheet, margins }, { from, to, shown: from })),
    }));
}

/** The rate is always units of the payout currency for one unit of the input currency. */
function viewOpposite(
  { sheet, margins }: Pick<Exchange, 'sheet' | 'margins'>,
  { from, to, shown }: { from: CurrencyCode; to: CurrencyCode; shown: CurrencyCode },
) {
  const rate = from === to ? undefined : quoted(sheet, margins, from, to);
  const mtmRate = mid(sheet, from, to);
  if (rate === undefined || mtmRate === undefined) return [];
  return [
    {
      ...viewCurrency(shown, sheet),
      rate: rateToJsonNumber(rate),
      mtm_rate: rateToJsonNumber(mtmRate),
      margin: marginOf(margins, from, to).text,
    },
  ];
}

function codes(): CurrencyCode[] {
  return CURRENCIES.map(({ code }) => code);
}
