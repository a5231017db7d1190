/**
 * What birth date, country and kind say beside the name. Each raises or lowers the score by a fixed step; what is not
 * known on either side says nothing. Open point OP-189.
 */
import type { ListEntry } from './list-entry.ts';
import { type PartialDate, parsePartialDate } from './partial-date.ts';
import type { ScreenedSubject } from './sender-screening.ts';

export interface Evidence {
  readonly step: number;
  readonly sentence: string;
}

const STEPS = {
  sameDate: 0.16,
  sameYear: 0.04,
  otherDay: -0.08,
  slippedYear: -0.08,
  otherYear: -0.16,
  sameCountry: 0.02,
  otherCountry: -0.04,
  otherKind: -0.1,
} as const;

/** Lists and papers differ by a year more often than by more. */
const NEAR_YEARS = 1;
const DECADE_YEARS = 10;

/** What is known of the subject, read once for all entries. */
export interface SubjectFacts {
  readonly birthDate: PartialDate | undefined;
  readonly countries: ReadonlySet<string>;
  readonly kind: ListEntry['kind'];
}

export function factsOf({ birthDate, countries, type }: ScreenedSubject): SubjectFacts {
  return {
    birthDate: birthDate === null ? undefined : parsePartialDate(birthDate),
    countries: new Set(countries.map((country) => country.toUpperCase())),
    kind: type === 'person' ? 'person' : 'entity',
  };
}

export function evidenceOf(facts: SubjectFacts, entry: ListEntry): readonly Evidence[] {
  return [birthEvidence(facts, entry), countryEvidence(facts, entry), kindEvidence(facts, entry)].filter(
    (evidence) => evidence !== undefined,
  );
}

/** Of several dates on the list, the one that speaks most for the subject. */
function birthEvidence({ birthDate }: SubjectFacts, { birthDates, kind }: ListEntry): Evidence | undefined {
  if (birthDate === undefined || birthDates.length === 0 || kind === 'entity') return undefined;
  const found = birthDates.map((listed) => compareDates(birthDate, listed));
  return found.reduce((best, one) => (one.step > best.step ? one : best));
}

function compareDates(own: PartialDate, listed: PartialDate): Evidence {
  const sameDay = own.day !== null && own.day === listed.day;
  const sameMonth = own.month !== null && own.month === listed.month;
  const sameYear = own.fromYear >= listed.fromYear && own.fromYear <= listed.toYear;
  if (sameYear && sameMonth && sameDay) return { step: STEPS.sameDate, sentence: 'the birth date is the same' };
  if (sameYear && own.day !== null && own.day === listed.month && own.month === listed.day) {
    return { step: STEPS.sameYear, sentence: 'the birth date has day and month exchanged' };
  }
  if (sameYear && (listed.month === null || sameMonth)) {
    return { step: STEPS.sameYear, sentence: 'the birth date is the same as far as the list knows it' };
  }
  const years = own.fromYear < listed.fromYear ? listed.fromYear - own.fromYear : own.fromYear - listed.toYear;
  const isElsewhere = own.day !== null && listed.day !== null && !sameDay && !sameMonth && !isPlaceholder(listed);
  if (years <= NEAR_YEARS && isElsewhere) return { step: STEPS.otherDay, sentence: 'the birthday is another' };
  if (years <= NEAR_YEARS) return { step: 0, sentence: 'the birth date is near' };
  const isSlip = years === DECADE_YEARS || isOneDigitOff(own.fromYear, listed.fromYear);
  if (isSlip && sameMonth && sameDay) {
    return { step: 0, sentence: 'the birth date differs by one digit of the year' };
  }
  if (years === DECADE_YEARS && listed.month === null) {
    return { step: STEPS.slippedYear, sentence: 'the birth year may have a slip' };
  }
  return { step: STEPS.otherYear, sentence: 'the birth date is another' };
}

/** The first of January is what papers say when nobody knows the day. */
function isPlaceholder({ month, day }: PartialDate): boolean {
  return month === 1 && day === 1;
}

function isOneDigitOff(left: number, right: number): boolean {
  const [one, other] = [String(left), String(right)];
  return [...one].filter((digit, at) => digit !== other.charAt(at)).length === 1;
}

function countryEvidence({ countries }: SubjectFacts, entry: ListEntry): Evidence | undefined {
  if (countries.size === 0 || entry.countries.length === 0) return undefined;
  return entry.countries.some((country) => countries.has(country))
    ? { step: STEPS.sameCountry, sentence: 'a country is the same' }
    : { step: STEPS.otherCountry, sentence: 'no country is the same' };
}

function kindEvidence(facts: SubjectFacts, entry: ListEntry): Evidence | undefined {
  if (facts.kind === entry.kind) return undefined;
  return {
    step: STEPS.otherKind,
    sentence: entry.kind === 'person' ? 'the entry is a person' : 'the entry is no person',
  };
}
