/** Makes a payout corridor of its file. Spec: Payout method, Limits (multiples of five). */
import { minorPerUnit } from '../money/currencies.ts';
import type { Details, Facts, PayoutCorridor, RecipientType, RuleSet, SenderRequirement } from './corridor.ts';
import { readType, type TypeName } from './corridor-type.ts';
import { checkFields, checkListName } from './file-rules.ts';
import { type PayoutFile, RECIPIENT_TYPES } from './file-shape.ts';
import type { Place } from './mistakes.ts';
import { resolveOptions, type SharedLists, textOf } from './rule.ts';
import { makeRuleSet } from './rule-set.ts';

/** A mobile operator that pays only multiples of five, beside the published one. Open point OP-78. */
export interface OperatorOfFives {
  readonly country: string;
  readonly mobileProvider: string;
}

const FIVE = 5;

/** Everything about the file but its type: one file of balances makes a corridor for each currency. */
export type PayoutMaker = (type: string, name: TypeName) => PayoutCorridor;

export function makePayout(
  file: PayoutFile,
  path: string,
  shared: SharedLists,
  fives: readonly OperatorOfFives[],
  place: Place,
): PayoutMaker | undefined {
  const sound = checkFields(file, shared, place);
  if (!checkRest(file, shared, place) || !sound) return undefined;
  const ruleSets = new Map(file.recipients.map((recipient) => [recipient, makeRuleSet(file, recipient, shared)]));
  const [anyRules] = ruleSets.values();
  if (anyRules === undefined) return place.key('recipients').wrong('is empty');
  const rules = (recipient: RecipientType): RuleSet => ruleSets.get(recipient) ?? anyRules;
  const countryOf = (details: Details) => anyRules.scopeOf(details).country;
  const facts = factsOf(file, path);
  const steps = stepsOf(file, fives);
  const common = {
    countries: file.countries,
    facts,
    recipientTypes: file.recipients,
    wtr2Allowed: file.wtr2_allowed !== false,
    checks: (file.checks ?? []).map(({ mobile_providers: mobileProviders, ...check }) => ({
      ...check,
      mobileProviders,
    })),
    senderRequirements: senderRequirements(file, shared),
    senderTypes: {
      person: file.sender_types?.get('person') ?? RECIPIENT_TYPES,
      business: file.sender_types?.get('business') ?? RECIPIENT_TYPES,
    },
    rules,
    fields: (recipient: RecipientType) => rules(recipient).descriptor,
    countryOf,
  };
  const stepOf = (details: Details) => steps.get(pairOf(countryOf(details), textOf(mobileProviderOf(details))));
  return (type, { currency, kind }) => {
    const outputStepMinor = (details: Details) => {
      const step = stepOf(details);
      return step === undefined ? undefined : step * minorPerUnit(currency);
    };
    return { type, currency, kind, isCash: kind === 'cash', outputStepMinor, ...common };
  };
}

export function factsOf(
  { about, source, facts_as_of: factsAsOf, published, notes }: Omit<PayoutFile, 'recipients'>,
  file: string,
): Facts {
  return { file, about, source, factsAsOf, published, notes: notes ?? [] };
}

/** Whether the file is of a mobile corridor that has this operator in this country. */
function hasOperator(file: PayoutFile, { country, mobileProvider }: OperatorOfFives): boolean {
  const providers = file.fields.find(({ name }) => name === 'mobile_provider');
  const list = providers?.options_by?.lists.get(country);
  if (!file.countries.includes(country) || providers === undefined) return false;
  if (list === undefined) return providers.options instanceof Map && providers.options.has(mobileProvider);
  return list instanceof Map ? list.has(mobileProvider) : [...list.values()].includes(mobileProvider);
}

/** Multiples of five are a matter of the two currencies without coins below them. */
export function mayPayFives(file: PayoutFile, operator: OperatorOfFives): boolean {
  const name = readType(file.type);
  const isFranc = 'currency' in name && (name.currency === 'XOF' || name.currency === 'XAF');
  return isFranc && hasOperator(file, operator);
}

/** In whole units, as the files say it. */
function stepsOf(file: PayoutFile, fives: readonly OperatorOfFives[]): ReadonlyMap<string, bigint> {
  const added = fives.filter((operator) => mayPayFives(file, operator));
  return new Map([
    ...(file.output_steps ?? []).map((row) => [pairOf(row.country, row.mobile_provider), BigInt(row.step)] as const),
    ...added.map((row) => [pairOf(row.country, row.mobileProvider), BigInt(FIVE)] as const),
  ]);
}

function pairOf(country: string | undefined, mobileProvider: string | undefined): string {
  return `${country}/${mobileProvider}`;
}

function senderRequirements(file: PayoutFile, shared: SharedLists): readonly SenderRequirement[] {
  return (file.sender ?? []).map((row) => ({
    field: row.field,
    senders: row.senders ?? 'any',
    options: row.options === undefined ? undefined : resolveOptions(row.options, shared),
    when: row.when,
    enforced: row.enforced !== false,
  }));
}

export function mobileProviderOf({ mobile_provider: provider }: Details): unknown {
  return provider;
}

function checkRest(file: PayoutFile, shared: SharedLists, place: Place): boolean {
  let sound = true;
  for (const [index, { recipient }] of file.fields.entries()) {
    if (recipient !== undefined && !file.recipients.includes(recipient)) {
      place.key('fields').item(index).key('recipient').wrong('is not one of the recipients of the file');
    }
  }
  for (const [index, requirement] of (file.sender ?? []).entries()) {
    sound = checkListName(requirement.options, shared, place.key('sender').item(index)) && sound;
  }
  for (const [index, { countries }] of (file.checks ?? []).entries()) {
    const foreign = countries.filter((country) => !file.countries.includes(country));
    if (foreign.length > 0)
      place
        .key('checks')
        .item(index)
        .wrong(`has other countries: ${foreign.join(', ')}`);
  }
  for (const [index, row] of (file.output_steps ?? []).entries()) {
    const known = hasOperator(file, { country: row.country, mobileProvider: row.mobile_provider });
    if (!known) place.key('output_steps').item(index).wrong('names an operator that the fields do not have');
  }
  for (const recipient of file.sender_types?.keys() ?? []) {
    if (!file.recipients.some((each) => each === recipient)) {
      place.key('sender_types').key(recipient).wrong('is not one of the recipients of the file');
    }
  }
  return sound;
}
