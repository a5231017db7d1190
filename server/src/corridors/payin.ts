/** Makes a payin corridor of its file. Spec: Payin method (collections). Open points OP-20, OP-21. */
import type { Details, PayinCorridor } from './corridor.ts';
import type { TypeName } from './corridor-type.ts';
import { checkFields } from './file-rules.ts';
import { type PayinFile, UX_FLOWS } from './file-shape.ts';
import type { Place } from './mistakes.ts';
import { factsOf, mobileProviderOf } from './payout.ts';
import { type SharedLists, textOf } from './rule.ts';
import { makeRuleSet } from './rule-set.ts';

export function makePayin(
  file: PayinFile,
  path: string,
  name: TypeName,
  shared: SharedLists,
  place: Place,
): PayinCorridor | undefined {
  const sound = checkFields(file, shared, place);
  for (const flow of file.out_details?.keys() ?? []) {
    if (!UX_FLOWS.some((each) => each === flow)) place.key('out_details').key(flow).wrong('is not a flow');
  }
  if (!sound) return undefined;
  const ruleSet = makeRuleSet(file, undefined, shared);
  const { default: usual, by = [], others = [] } = file.ux_flow;
  const flows = new Map(by.map(({ country, mobile_provider, flow }) => [`${country}/${mobile_provider}`, flow]));
  const countryOf = (details: Details) => ruleSet.scopeOf(details).country;
  return {
    type: file.type,
    ...name,
    countries: file.countries,
    facts: factsOf(file, path),
    allowsAnotherAmount: file.another_amount,
    uxFlows: [...new Set([usual, ...flows.values(), ...others])],
    outDetails: file.out_details ?? new Map(),
    fields: () => ruleSet.descriptor,
    rules: () => ruleSet,
    countryOf,
    uxFlow: (details) => flows.get(`${countryOf(details)}/${textOf(mobileProviderOf(details))}`) ?? usual,
  };
}
