/**
 * What the shape of a corridor file cannot say: names that must exist, lists that must fit together, patterns that are
 * taken. Every mistake is recorded at its place; nothing is thrown.
 */
import type { ChoiceEntry, FieldEntry, Options, PayinFile, PayoutFile } from './file-shape.ts';
import type { Place } from './mistakes.ts';
import { compilePattern } from './pattern.ts';
import { isPhoneCountry } from './phone.ts';
import { resolveOptions, type SharedLists } from './rule.ts';

interface Surroundings {
  readonly fields: readonly FieldEntry[];
  readonly countries: readonly string[];
  readonly shared: SharedLists;
}

/** False when something is so wrong that no rules can be made of the file. */
export function checkFields(file: PayoutFile | PayinFile, shared: SharedLists, place: Place): boolean {
  const around = { fields: file.fields, countries: file.countries, shared };
  for (const [index, country] of file.countries.entries()) {
    if (!isPhoneCountry(country)) place.key('countries').item(index).wrong('is not a country');
  }
  let sound = true;
  for (const [index, field] of file.fields.entries()) {
    const at = place.key('fields').item(index);
    checkRepeats(field, file.fields.slice(0, index), at);
    sound = checkOptions(field, around, at) && sound;
    sound = checkForm(field, around, at) && sound;
    for (const name of field.when?.keys() ?? []) checkName(name, around, at.key('when'));
  }
  for (const [index, choice] of (file.choices ?? []).entries()) {
    checkChoice(choice, file.fields, place.key('choices').item(index));
  }
  return sound;
}

export function checkListName(options: Options | undefined, shared: SharedLists, at: Place): boolean {
  if (typeof options !== 'string' || shared.has(options)) return true;
  at.key('options').wrong(`names a list that is not in shared: ${options}`);
  return false;
}

/** A name may come again only under a condition, or for the other type of recipient. */
function checkRepeats(field: FieldEntry, before: readonly FieldEntry[], at: Place): void {
  const clash = before.some(
    ({ name, when, recipient }) =>
      name === field.name &&
      (when === undefined || field.when === undefined) &&
      (recipient === undefined || field.recipient === undefined || recipient === field.recipient),
  );
  if (clash) at.wrong(`comes a second time: ${field.name}`);
}

function checkOptions(field: FieldEntry, around: Surroundings, at: Place): boolean {
  if (!checkListName(field.options, around.shared, at)) return false;
  const own = field.options === undefined ? undefined : resolveOptions(field.options, around.shared);
  const by = field.options_by;
  let sound = own === undefined || own.size > 0;
  if (!sound) at.key('options').wrong('is empty');
  if (by !== undefined) {
    const place = at.key('options_by');
    checkName(by.field, around, place.key('field'));
    checkValues(by.field, [...by.lists.keys()], around, place.key('lists'));
    for (const [value, list] of by.lists) {
      const codes = list instanceof Map ? [] : [...list.values()];
      const unknown = codes.filter((code) => own?.has(code) !== true);
      if (unknown.length > 0)
        place
          .key('lists')
          .key(value)
          .wrong(`has codes without a label: ${unknown.join(', ')}`);
      if (list instanceof Map && own !== undefined) place.key('lists').key(value).wrong('has labels, and options too');
      sound &&= unknown.length === 0;
    }
  }
  const { example } = field;
  if (own !== undefined && example !== undefined && !own.has(example)) at.key('example').wrong('is not an option');
  return sound;
}

function checkForm(field: FieldEntry, around: Surroundings, at: Place): boolean {
  const isSelect = field.options !== undefined || field.options_by !== undefined;
  const forms = (['pattern', 'format', 'format_by'] as const).filter((key) => field[key] !== undefined);
  if (forms.length > 1) at.wrong(`has more than one of: ${forms.join(', ')}`);
  if (isSelect && forms.length > 0) at.wrong(`has options, and ${forms.join(' and ')} too`);
  if (field.format === 'phone' && around.countries.length === 0) at.wrong('is a phone number in no country');
  if (field.format === 'iban' && around.countries.length === 0) at.wrong('is an IBAN of no country');
  if ((field.min_length ?? 1) > (field.max_length ?? Number.MAX_SAFE_INTEGER)) at.wrong('ends before it begins');
  if (field.part_of !== undefined && field.part_of.from > field.part_of.to)
    at.key('part_of').wrong('ends before it begins');
  for (const key of ['part_of', 'prefix_by', 'format_by'] as const) {
    const other = field[key];
    if (other !== undefined) checkName(other.field, around, at.key(key).key('field'));
  }
  if (field.prefix_by !== undefined) {
    checkValues(
      field.prefix_by.field,
      [...field.prefix_by.prefixes.keys()],
      around,
      at.key('prefix_by').key('prefixes'),
    );
  }
  if (field.format_by !== undefined) {
    checkValues(field.format_by.field, [...field.format_by.formats.keys()], around, at.key('format_by').key('formats'));
  }
  const pattern = field.pattern === undefined ? undefined : compilePattern(field.pattern);
  if (pattern !== undefined && 'says' in pattern) at.key('pattern').wrong(pattern.says);
  const hasExample = isSelect || field.example !== undefined;
  if (!hasExample) at.key('example').wrong('is missing');
  return hasExample && !(pattern !== undefined && 'says' in pattern);
}

/** `country` may be named although there is no such field: then it is known from the phone number. */
function checkName(name: string, { fields, countries }: Surroundings, at: Place): void {
  const known = fields.some((field) => field.name === name) || (name === 'country' && countries.length > 0);
  if (!known) at.wrong(`names a field that is not there: ${name}`);
}

function checkValues(name: string, values: readonly string[], around: Surroundings, at: Place): void {
  const fields = around.fields.filter((field) => field.name === name);
  const lists = fields.flatMap(({ options }) =>
    options === undefined || (typeof options === 'string' && !around.shared.has(options))
      ? []
      : [resolveOptions(options, around.shared)],
  );
  const isKnown = (value: string) =>
    lists.some((list) => list.has(value)) || (fields.length === 0 && around.countries.includes(value));
  const unknown = values.filter((value) => !isKnown(value));
  if (unknown.length > 0) at.wrong(`has values that ${name} cannot have: ${unknown.join(', ')}`);
}

function checkChoice(choice: ChoiceEntry, fields: readonly FieldEntry[], at: Place): void {
  if (choice.ways.length < 2) at.key('ways').wrong('has fewer than two ways');
  for (const [index, { needs, may_have: mayHave }] of choice.ways.entries()) {
    const way = at.key('ways').item(index);
    if (needs.length === 0) way.key('needs').wrong('is empty');
    for (const name of [...needs, ...(mayHave ?? [])]) {
      const named = fields.filter((field) => field.name === name);
      if (named.length === 0) way.wrong(`names a field that is not there: ${name}`);
      if (named.some((field) => field.required === true)) way.wrong(`names a field that is always required: ${name}`);
    }
  }
}
