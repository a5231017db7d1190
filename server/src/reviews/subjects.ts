/**
 * Whom the lists are asked about: the sender, and of a business the people whom it names as politically exposed. Pure.
 * Names in every form that the sender gave, the day of birth, and every country it is tied to. Open point OP-186.
 */
import { isObject } from '../kernel/storable.ts';
import type { ScreenedSubject } from '../screening/sender-screening.ts';
import { isCountry } from '../senders/countries.ts';
import type { Sender } from '../senders/sender.ts';

const COUNTRY_FIELDS = ['country', 'nationality', 'country_of_birth', 'trading_country'] as const;

export function subjectsOf({ type, details }: Pick<Sender, 'type' | 'details'>): ScreenedSubject[] {
  const text = (name: string) => textOf(details[name]);
  const join = (...parts: readonly string[]) => parts.filter((part) => part !== '').join(' ');
  const [first, middle, last] = [text('first_name'), text('middle_name'), text('last_name')];
  const names = [join(first, last), join(first, middle, last), text('name'), text('trading_name')];
  const birthDate = text('birth_date');
  const own: ScreenedSubject = {
    names: distinct(names),
    type,
    birthDate: birthDate === '' ? null : birthDate,
    countries: distinct(COUNTRY_FIELDS.map(text).filter(isCountry)),
  };
  return [own, ...exposedPeople(details['politically_exposed_people'])].filter((subject) => subject.names.length > 0);
}

/** Nothing but the name is known of them. */
function exposedPeople(value: unknown): ScreenedSubject[] {
  if (!Array.isArray(value)) return [];
  return value.map((person: unknown) => ({
    names: distinct([isObject(person) ? textOf(person['name']) : '']),
    type: 'person',
    birthDate: null,
    countries: [],
  }));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))];
}
