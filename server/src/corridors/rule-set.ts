/** The rules of a file for one type of recipient, with the country that its details are about. */
import { isBlank } from '../kernel/storable.ts';
import type { Choice, Details, RecipientType, RuleSet, Scope } from './corridor.ts';
import { describeFields } from './descriptor.ts';
import type { FieldEntry, PayinFile, PayoutFile } from './file-shape.ts';
import { readPhone } from './phone.ts';
import { makeRule, type SharedLists, textOf } from './rule.ts';

export function makeRuleSet(
  file: PayoutFile | PayinFile,
  recipientType: RecipientType | undefined,
  shared: SharedLists,
): RuleSet {
  const entries = file.fields.filter(({ recipient }) => recipient === undefined || recipient === recipientType);
  const rules = entries.map((entry) => makeRule(entry, shared));
  const { countries } = file;
  const countryOf = countryLookup(entries, countries);
  const narrowed = new Map(countries.map((country) => [country, [country]]));
  const scopeOf = (details: Details): Scope => {
    const country = countryOf(details);
    return { details, country, countries: (country === undefined ? undefined : narrowed.get(country)) ?? countries };
  };
  return { rules, choices: (file.choices ?? []).map(makeChoice), descriptor: describeFields(rules), scopeOf };
}

function makeChoice(choice: NonNullable<PayoutFile['choices']>[number]): Choice {
  const ways = choice.ways.map(({ about, needs, may_have }) => ({ about, needs, mayHave: may_have ?? [] }));
  return { choose: choice.choose, ways };
}

/** The country is the only one, or the detail `country`, or that of the phone number. */
function countryLookup(
  entries: readonly FieldEntry[],
  countries: readonly string[],
): (details: Details) => string | undefined {
  const field = entries.find(({ name }) => name === 'country');
  if (field !== undefined) {
    return ({ country }) => {
      const chosen = isBlank(country) ? field.default : textOf(country);
      return chosen !== undefined && countries.includes(chosen) ? chosen : undefined;
    };
  }
  if (countries.length <= 1) return () => countries[0];
  const phone = entries.find(({ format }) => format === 'phone')?.name;
  if (phone === undefined) return () => undefined;
  return (details) => {
    const number = details[phone];
    return typeof number === 'string' ? readPhone(number, countries)?.country : undefined;
  };
}
