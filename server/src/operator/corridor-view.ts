/** One corridor in full, as operators see it: its facts, its fields, what it asks of senders, and an example. */
import type { Catalogue } from '../corridors/catalogue.ts';
import type { PayinCorridor, PayoutCorridor } from '../corridors/corridor.ts';
import { exampleFor, payinExampleFor } from '../corridors/example.ts';
import type { Direction } from '../corridors/switch.ts';

export function viewCorridor(catalogue: Catalogue, type: string, direction: Direction) {
  if (direction === 'payin') {
    const payin = catalogue.payin(type);
    return payin && { ...factsView(payin, direction), ux_flows: payin.uxFlows, variants: [payinVariant(payin)] };
  }
  const payout = catalogue.payout(type);
  return (
    payout && {
      ...factsView(payout, direction),
      wtr2_allowed: payout.wtr2Allowed,
      sender: payout.senderRequirements.map(({ field, senders, enforced }) => ({ field, senders, enforced })),
      variants: payout.recipientTypes.map((recipient) => ({
        recipient,
        fields: payout.fields(recipient),
        example: exampleFor(payout, recipient),
      })),
    }
  );
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
  return { fields: payin.fields(), example: payinExampleFor(payin) };
}
