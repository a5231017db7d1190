/**
 * Example details of a corridor, made from the examples in its file. For the docs, and to prove each file by itself.
 */
import type { Details, PayinCorridor, PayoutCorridor, RecipientType, Rule, RuleSet } from './corridor.ts';
import { holds } from './rule.ts';

export interface ExampleOptions {
  /** With the optional fields too. */
  readonly optional?: boolean;
  /** Which way is taken where there is a choice; the first has number 0. */
  readonly way?: number;
  /** Details that are fixed from outside, such as the country. */
  readonly given?: Details;
}

export function exampleFor(corridor: PayoutCorridor, recipientType: RecipientType, options?: ExampleOptions): Details {
  return exampleOf(corridor.rules(recipientType), options);
}

export function payinExampleFor(corridor: PayinCorridor, options?: ExampleOptions): Details {
  return exampleOf(corridor.rules(), options);
}

/** Fields without conditions come first: the others, and the options that others narrow down, depend on them. */
export function exampleOf(ruleSet: RuleSet, options: ExampleOptions = {}): Details {
  const { rules, scopeOf } = ruleSet;
  const { given = {} } = options;
  const isWanted = wantedBy(ruleSet, options);
  const start: Details = Object.fromEntries(
    rules
      .filter((rule) => rule.when === undefined && isWanted(rule))
      .map((rule) => [rule.name, given[rule.name] ?? rule.example(scopeOf(given))]),
  );
  const scope = scopeOf({ ...start, ...given });
  const chosen = rules.filter((rule) => isWanted(rule) && (rule.when === undefined || holds(rule.when, scope)));
  return Object.fromEntries(chosen.map((rule) => [rule.name, given[rule.name] ?? rule.example(scope)]));
}

function wantedBy({ choices }: RuleSet, { optional = false, way = 0 }: ExampleOptions): (rule: Rule) => boolean {
  const inChoice = new Set(choices.flatMap(({ ways }) => ways.flatMap((each) => [...each.needs, ...each.mayHave])));
  const taken = new Set(
    choices.flatMap(({ ways }) => {
      const chosen = ways[Math.min(way, ways.length - 1)];
      return chosen === undefined ? [] : [...chosen.needs, ...(optional ? chosen.mayHave : [])];
    }),
  );
  return (rule) => (inChoice.has(rule.name) ? taken.has(rule.name) : rule.required || optional);
}
