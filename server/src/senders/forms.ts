/**
 * How the value of one field is read. Pure, and in time linear in the length of the value, whose bound is checked
 * first. Each refuses with the words of kernel/refusal.ts; paths are relative to the field. Spec: Sender. Open point
 * OP-109.
 */
import { isIP } from 'node:net';
import { readDay, readMoment } from '../documents/dates.ts';
import { assert, unreachable } from '../kernel/assert.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { faultOfText, isBlank, isObject, MAX_TEXT_CHARS } from '../kernel/storable.ts';
import { isCountry } from './countries.ts';
import { isEmail } from './email.ts';
import type { DetailForm } from './fields.ts';
import { readPhone } from './phone.ts';

interface FormFacts {
  /** YYYY-MM-DD, in UTC. */
  readonly today: string;
  /** The value of a country field of the same sender, if it is a good one. */
  readonly countryIn: (field: string) => string | undefined;
}

/** Longer than any address in either notation. */
const MAX_IP_CHARS = 45;

/** Reads a value that is not blank. */
export function readForm(form: DetailForm, value: unknown, facts: FormFacts): Checked<unknown> {
  switch (form.kind) {
    case 'text':
      return readText(form, value);
    case 'choice':
      if (typeof value !== 'string') return refused(refuse('invalid'));
      return form.values.includes(value) ? accepted(value) : refused(refuse('not_in_list'));
    case 'country':
      if (typeof value !== 'string') return refused(refuse('invalid'));
      return isCountry(value) ? accepted(value) : refused(refuse('not_in_list'));
    case 'countries':
      return readList(value, form.maxItems, (item) => (isCountry(item) ? [] : [refuse('not_in_list')]));
    case 'phone':
      return readString(value, (text) => readPhone(text, facts.countryIn(form.countryField)));
    case 'date':
      return readString(value, (text) => {
        const day = readDay(text);
        return day !== undefined && form.past && day >= facts.today ? undefined : day;
      });
    case 'email':
      return readString(value, (text) => (isEmail(text) ? text : undefined));
    case 'ip':
      return readString(value, (text) => (isAddress(text) ? text : undefined));
    case 'people':
      return readList(value, form.maxItems, faultsOfPerson, personOf);
    default:
      return unreachable(form);
  }
}

function readText(form: DetailForm & { kind: 'text' }, value: unknown): Checked<string> {
  const fault = faultOfText(value, form.maxChars);
  if (fault !== undefined) return refused(refuse(fault));
  assert(typeof value === 'string', 'a text without fault is a text');
  return value.trim().length < (form.minChars ?? 0) ? refused(refuse('too_short')) : accepted(value);
}

function readString(value: unknown, read: (text: string) => string | undefined): Checked<string> {
  const fault = faultOfText(value);
  if (fault !== undefined) return refused(refuse(fault));
  const result = typeof value === 'string' ? read(value.trim()) : undefined;
  return result === undefined ? refused(refuse('invalid')) : accepted(result);
}

/** The zone that some systems write behind an address (`fe80::1%eth0`) has a meaning only on their own machine. */
function isAddress(text: string): boolean {
  return text.length <= MAX_IP_CHARS && !text.includes('%') && isIP(text) !== 0;
}

function readList(
  value: unknown,
  maxItems: number,
  faultsOf: (item: unknown) => readonly Refusal[],
  read: (item: unknown) => unknown = (item) => item,
): Checked<unknown> {
  if (!Array.isArray(value)) return refused(refuse('invalid'));
  if (value.length > maxItems) return refused(refuse('too_large'));
  const refusals = value.flatMap((item: unknown, index) =>
    faultsOf(item).map(({ code, path }) => refuse(code, index, ...path)),
  );
  return refusals.length > 0 ? refused(...refusals) : accepted(value.map(read));
}

const PERSON_TEXTS = ['name', 'position'] as const;
const PERSON_DATES = ['started_date', 'ended_date'] as const;

/** A politically exposed person: a name, and if wanted the position and its dates. Published. Open point OP-83. */
function faultsOfPerson(item: unknown): Refusal[] {
  if (!isObject(item)) return [refuse('invalid')];
  if (isBlank(item['name'])) return [refuse('blank', 'name')];
  const texts = PERSON_TEXTS.filter((name) => !isBlank(item[name])).flatMap((name) => {
    const fault = faultOfText(item[name], MAX_TEXT_CHARS);
    return fault === undefined ? [] : [refuse(fault, name)];
  });
  const dates = PERSON_DATES.filter((name) => !isBlank(item[name]) && readMoment(item[name]) === undefined);
  return [...texts, ...dates.map((name) => refuse('invalid', name))];
}

/** What is kept of such a person. */
export function personOf(item: unknown): Record<string, unknown> {
  assert(isObject(item), 'a person without fault is an object');
  const texts = PERSON_TEXTS.map((name) => [name, item[name]] as const);
  const dates = PERSON_DATES.map((name) => [name, readMoment(item[name])] as const);
  return Object.fromEntries([...texts, ...dates].filter(([, value]) => !isBlank(value)));
}
