/**
 * The least and the largest amount that a recipient may receive, by payout type: the operator's settings, none by
 * default. They are about what is paid out, in the currency of the corridor. No published field shows them, so a
 * refusal tells the bound that it is about. Spec: Limits. Open point OP-127.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Amount } from '../money/amount.ts';
import { toDecimalString } from '../money/format.ts';
import { parseExactAmount } from '../money/parse.ts';
import type { Catalogue } from './catalogue.ts';
import { CatalogueInvalid, type Mistake, Place } from './mistakes.ts';

export interface AmountBounds {
  /** Empty when the amount lies within the bounds of the type. Codes: below_minimum, above_maximum. */
  refusals(type: string, output: Amount): readonly Refusal[];
}

export interface CorridorBounds extends AmountBounds {
  /** Null: there is none. */
  of(type: string): { readonly least: Amount | null; readonly largest: Amount | null };
}

interface WrittenBounds {
  readonly minimumAmounts: Readonly<Record<string, string>>;
  readonly maximumAmounts: Readonly<Record<string, string>>;
}

/** Throws CatalogueInvalid when a type is not there, an amount is none, or the least is above the largest. */
export function amountBounds(written: WrittenBounds, catalogue: Catalogue): CorridorBounds {
  const mistakes: Mistake[] = [];
  const least = readBounds(written.minimumAmounts, catalogue, new Place('corridors.minimum_amounts', mistakes));
  const largest = readBounds(written.maximumAmounts, catalogue, new Place('corridors.maximum_amounts', mistakes));
  for (const [type, { minor }] of least) {
    if (minor <= (largest.get(type)?.minor ?? minor)) continue;
    new Place('corridors.minimum_amounts', mistakes, type).wrong('is above the largest amount of the type');
  }
  if (mistakes.length > 0) throw new CatalogueInvalid(mistakes);
  const of = (type: string) => ({ least: least.get(type) ?? null, largest: largest.get(type) ?? null });
  return {
    of,
    refusals: (type, { minor }) => {
      const bound = of(type);
      if (bound.least && minor < bound.least.minor) return [refuseBy('below_minimum', bound.least)];
      return bound.largest && minor > bound.largest.minor ? [refuseBy('above_maximum', bound.largest)] : [];
    },
  };
}

function refuseBy(code: 'below_minimum' | 'above_maximum', bound: Amount): Refusal {
  return { ...refuse(code), says: `${toDecimalString(bound)} ${bound.currency}` };
}

/** By type. */
function readBounds(
  written: Readonly<Record<string, string>>,
  catalogue: Catalogue,
  place: Place,
): ReadonlyMap<string, Amount> {
  const bounds = new Map<string, Amount>();
  for (const [type, text] of Object.entries(written)) {
    const corridor = catalogue.payout(type);
    const amount = corridor && parseExactAmount(text, corridor.currency);
    if (amount?.ok) bounds.set(type, amount.value);
    else place.key(type).wrong(amount ? 'is not an amount' : 'is not a payout type of the service');
  }
  return bounds;
}
