/**
 * Writes client/payout-details.d.ts from the catalogue: TypeScript types of the details of every payout type and of the
 * in_details of every payin type. What is needed only under a condition is optional there; the service has the last
 * word.
 */
import type { Catalogue } from './catalogue.ts';
import type { Choice, PayoutCorridor, Rule, RuleSet } from './corridor.ts';

const HEAD = `/** Generated from server/corridors by \`npm run docs\`. Do not edit. */

export type RecipientType = 'person' | 'business';
`;

const TAIL = `
export type PayoutType = keyof PayoutDetailsByType;
/** The details of a payout type; of all types of recipient that it takes, unless one is named. */
export type PayoutDetails<
  T extends PayoutType,
  R extends keyof PayoutDetailsByType[T] = keyof PayoutDetailsByType[T],
> = PayoutDetailsByType[T][R];

export type PayinType = keyof PayinDetailsByType;
export type PayinDetails<T extends PayinType> = PayinDetailsByType[T];
`;

export function detailsTypes(catalogue: Catalogue): string {
  return [
    HEAD,
    'export interface PayoutDetailsByType {',
    ...catalogue.payouts().map(payoutEntry),
    '}\n',
    'export interface PayinDetailsByType {',
    ...catalogue.payins().map((corridor) => `  '${corridor.type}': ${typeOf(corridor.rules(), '  ')};`),
    '}',
    TAIL,
  ].join('\n');
}

function payoutEntry({ type, kind, recipientTypes, rules }: PayoutCorridor): string {
  // One file stands for the balances of all currencies, and one line is enough for each.
  if (kind === 'balance') return `  '${type}': Record<RecipientType, { reference?: string }>;`;
  const variants = recipientTypes.map((recipient) => `    ${recipient}: ${typeOf(rules(recipient), '    ')};`);
  return [`  '${type}': {`, ...variants, '  };'].join('\n');
}

/** Fields of a choice go into a union of its ways; all others stand together before it. */
function typeOf({ rules, choices }: RuleSet, indent: string): string {
  const fields = fieldsOf(rules);
  const inChoice = new Set(choices.flatMap(namesIn));
  const plain = [...fields].filter(([name]) => !inChoice.has(name));
  const lines = plain.map(([name, { isNeeded, type }]) => `${indent}  ${name}${isNeeded ? '' : '?'}: ${type};`);
  const together = lines.length === 0 ? 'Record<string, unknown>' : `{\n${lines.join('\n')}\n${indent}}`;
  const parts = [together, ...choices.map((choice) => choiceType(choice, fields))];
  return parts.join(' & ');
}

function choiceType(choice: Choice, fields: ReadonlyMap<string, Field>): string {
  const names = namesIn(choice);
  const ways = choice.ways.map(({ needs, mayHave }) => {
    const members = names.map((name) => {
      const { type } = fields.get(name) ?? { type: 'string' };
      if (needs.includes(name)) return `${name}: ${type}`;
      const isOpen = mayHave.includes(name) || choice.choose === 'at_least_one';
      return `${name}?: ${isOpen ? type : 'never'}`;
    });
    return `{ ${members.join('; ')} }`;
  });
  return `(${ways.join(' | ')})`;
}

function namesIn({ ways }: Choice): string[] {
  return [...new Set(ways.flatMap(({ needs, mayHave }) => [...needs, ...mayHave]))];
}

interface Field {
  readonly isNeeded: boolean;
  readonly type: string;
}

/** A name may have several rules whose conditions exclude each other: it is then whatever one of them takes. */
function fieldsOf(rules: readonly Rule[]): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const name of new Set(rules.map((rule) => rule.name))) {
    const same = rules.filter((rule) => rule.name === name);
    const types = new Set(same.map(({ options }) => (options === undefined ? 'string' : unionOf([...options.keys()]))));
    fields.set(name, {
      isNeeded: same.every(({ required, when }) => required && when === undefined),
      type: types.has('string') ? 'string' : [...types].join(' | '),
    });
  }
  return fields;
}

function unionOf(codes: readonly string[]): string {
  return codes.map((code) => `'${code.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`).join(' | ');
}
