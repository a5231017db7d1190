/**
 * The least and the largest amount that a recipient may receive, by payout type: the operator's settings, none by
 * default. They are about what is paid out, in the currency of the corridor. Spec: Limits. Open point OP-127.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { Amount } from '../money/amount.ts';
import { parseAmount } from '../money/parse.ts';
import type { Catalogue } from './catalogue.ts';
import { CatalogueInvalid, type Mistake, Place } from './mistakes.ts';

export interface AmountBounds {
  /** Empty when the amount lies within the bounds of the type. Codes: below_minimum, above_maximum. */
  refusals(type: string, output: Amount): readonly Refusal[];
}

interface WrittenBounds {
  readonly minimumAmounts: Readonly<Record<string, string>>;
  readonly maximumAmounts: Readonly<Record<string, string>>;
}

/** Throws CatalogueInvalid when a type is not there, an amount is none, or the least is above the largest. */
export function amountBounds(written: WrittenBounds, catalogue: Catalogue): AmountBounds {
  const mistakes: Mistake[] = [];
  const least = readBounds(written.minimumAmounts, catalogue, new Place('corridors.minimum_amounts', mistakes));
  const largest = readBounds(written.maximumAmounts, catalogue, new Place('corridors.maximum_amounts', mistakes));
  for (const [type, minor] of least) {
    if (minor <= (largest.get(type) ?? minor)) continue;
    new Place('corridors.minimum_amounts', mistakes, type).wrong('is above the largest amount of the type');
  }
  if (mistakes.length > 0) throw new CatalogueInvalid(mistakes);
  return {
    refusals: (type, { minor }) => {
      if (minor < (least.get(type) ?? minor)) return [refuse('below_minimum')];
      return minor > (largest.get(type) ?? minor) ? [refuse('above_maximum')] : [];
    },
  };
}

/** By type, in minor units. */
function readBounds(
  written: Readonly<Record<string, string>>,
  catalogue: Catalogue,
  place: Place,
): ReadonlyMap<string, bigint> {
  const bounds = new Map<string, bigint>();
  for (const [type, text] of Object.entries(written)) {
    const corridor = catalogue.payout(type);
    const amount = corridor && parseAmount(text, corridor.currency);
    if (amount?.ok) bounds.set(type, amount.value.minor);
    else place.key(type).wrong(amount ? 'is not an amount' : 'is not a payout type of the service');
  }
  return bounds;
}
