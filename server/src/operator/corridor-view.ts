/** One corridor in full, as operators see it: its facts, bounds and fields, what it asks of senders, and an example. */
import type { CorridorBounds } from '../corridors/amount-bounds.ts';
import type { Catalogue } from '../corridors/catalogue.ts';
import type { Condition, PayinCorridor, PayoutCorridor, RuleSet } from '../corridors/corridor.ts';
import { exampleFor, payinExampleFor } from '../corridors/example.ts';
import type { Direction } from '../corridors/switch.ts';
import { toDecimalString } from '../money/format.ts';

interface CorridorParts {
  readonly catalogue: Catalogue;
  readonly bounds: CorridorBounds;
}

export function viewCorridor({ catalogue, bounds }: CorridorParts, type: string, direction: Direction) {
  if (direction === 'payin') {
    const payin = catalogue.payin(type);
    return payin && { ...factsView(payin, direction), ux_flows: payin.uxFlows, variants: [payinVariant(payin)] };
  }
  const payout = catalogue.payout(type);
  return (
    payout && {
      ...factsView(payout, direction),
      ...boundsView(bounds, type),
      wtr2_allowed: payout.wtr2Allowed,
      sender: payout.senderRequirements.map(({ field, senders, when, enforced }) => ({
        field,
        senders,
        when: whenView(when),
        enforced,
      })),
      variants: payout.recipientTypes.map((recipient) => ({
        recipient,
        fields: payout.fields(recipient),
        ...rulesView(payout.rules(recipient)),
        example: exampleFor(payout, recipient),
      })),
    }
  );
}

/** As decimal strings, in the currency of the type; null: there is no bound. */
export function boundsView(bounds: CorridorBounds, type: string) {
  const { least, largest } = bounds.of(type);
  return {
    minimum_amount: least && toDecimalString(least),
    maximum_amount: largest && toDecimalString(largest),
  };
}

function factsView({ type, currency, kind, countries, facts }: PayoutCorridor | PayinCorridor, direction: Direction) {
  return {
    type,
    direction,
    currency,
    kind,
    countries,
    about: facts.about,
    file: facts.file,
    source: facts.source,
    facts_as_of: facts.factsAsOf,
    published: facts.published,
    notes: facts.notes,
  };
}

function payinVariant(payin: PayinCorridor) {
  return { fields: payin.fields(), ...rulesView(payin.rules()), example: payinExampleFor(payin) };
}

/** What descriptors cannot tell: fields of which one group is enough, and those that hang on another one. */
function rulesView({ rules, choices }: RuleSet) {
  return {
    choices: choices.map(({ choose, ways }) => ({
      choose,
      ways: ways.map(({ about, needs, mayHave }) => ({ about, needs, may_have: mayHave })),
    })),
    conditions: rules
      .filter(({ when }) => when !== undefined)
      .map(({ name, required, when }) => ({ field: name, required, when: whenView(when) })),
  };
}

/** Field to values, of which it must have one. Null: always. */
function whenView(when: Condition | undefined) {
  return when === undefined ? null : Object.fromEntries(when);
}
