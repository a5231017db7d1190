/**
 * Labelled sets from a seed: a list of entries, subjects who are on it under a changed name, and as many subjects who
 * are not but nearly have the name of somebody who is. What is right is known from the parts of the names, never from
 * their spelling, and nothing here knows how the program compares.
 */
import type { ListEntry } from '../../../server/src/screening/list-entry.ts';
import type { ScreenedSubject } from '../../../server/src/screening/sender-screening.ts';
import { CULTURES, type Culture, type Part } from './cultures.ts';
import { NameBook } from './name-book.ts';
import { type Random, seededRandom } from './random.ts';
import { type Change, changesFor, writeChanged, writeForList } from './spoil.ts';

export interface LabelledSubject {
  readonly subject: ScreenedSubject;
  /** The entry that it is; undefined: it is on no list. */
  readonly entryId: string | undefined;
  /** What was done to the name, or what kind of near miss it is. */
  readonly how: string;
}

/**
 * Usual: one or two changes, of which an alias is one and two slips are two; how the name looks comes on top. Hard: up
 * to three, and whether it is an alias comes on top. The near misses of both are the same.
 */
export const SET_NAMES = ['usual', 'hard'] as const;
export type SetName = (typeof SET_NAMES)[number];

interface LabelledSet {
  readonly entries: readonly ListEntry[];
  readonly subjects: Readonly<Record<SetName, readonly LabelledSubject[]>>;
}

interface Listed {
  readonly entry: ListEntry;
  readonly culture: Culture;
  /** The parts of the main name, and of an alias that is another name altogether. */
  readonly names: readonly (readonly Part[])[];
  readonly birth: { readonly year: number; readonly month: number; readonly day: number };
}

const MAX_CHANGES = { usual: 2, hard: 3 } as const;
const MAX_DRAWS = 200;
const KNOWN = { birthDate: 0.7, country: 0.7, listedBirthDate: 0.8 } as const;

export function labelledSet(options: {
  readonly seed: number;
  readonly entries: number;
  readonly each: number;
}): LabelledSet {
  const random = seededRandom(options.seed);
  const listed = Array.from({ length: options.entries }, (_, at) => drawEntry(String(at + 1), random));
  const book = new NameBook(listed.flatMap(({ names }) => names));
  const drawListed = (changesOf: ChangesOf) =>
    Array.from({ length: options.each }, () => onTheList(random.pick(listed), changesOf, random));
  const hard = drawListed(hardChanges);
  const misses: LabelledSubject[] = [];
  while (misses.length < options.each) {
    const miss = nearMiss(random.pick(listed), book, random);
    if (miss !== undefined) misses.push(miss);
  }
  const usual = drawListed(usualChanges);
  return {
    entries: listed.map(({ entry }) => entry),
    subjects: { usual: [...usual, ...misses], hard: [...hard, ...misses] },
  };
}

function drawCulture(random: Random): Culture {
  let ticket = random.below(CULTURES.reduce((sum, { share }) => sum + share, 0));
  for (const culture of CULTURES) {
    ticket -= culture.share;
    if (ticket < 0) return culture;
  }
  throw new Error('shares that do not add up');
}

function drawEntry(id: string, random: Random): Listed {
  const culture = drawCulture(random);
  const main = culture.draw(random);
  const alias = random.chance(0.25) ? culture.draw(random) : undefined;
  const texts = [writeForList(culture, main, random)];
  if (alias) texts.push(writeForList(culture, alias, random));
  // Many entries have the main name in a second spelling.
  if (random.chance(0.3)) texts.push(writeForList(culture, main, random));
  const birth = { year: 1940 + random.below(65), month: 1 + random.below(12), day: 1 + random.below(28) };
  const { year } = birth;
  const whole = { fromYear: year, toYear: year, month: birth.month, day: birth.day };
  const yearOnly = { fromYear: year, toYear: year, month: null, day: null };
  const hasBirth = culture.kind === 'person' && random.chance(KNOWN.listedBirthDate);
  const entry: ListEntry = {
    list: 'made-up',
    id,
    kind: culture.kind,
    names: texts.map((text) => ({ text, quality: 'strong' })),
    birthDates: hasBirth ? [random.chance(0.75) ? whole : yearOnly] : [],
    countries: [random.pick(culture.countries)],
  };
  return { entry, culture, names: alias ? [main, alias] : [main], birth };
}

type ChangesOf = (possible: readonly Change[], isAlias: boolean, random: Random) => readonly Change[];

function hardChanges(possible: readonly Change[], _isAlias: boolean, random: Random): readonly Change[] {
  const count = 1 + random.below(MAX_CHANGES.hard);
  return [...new Set(random.shuffle(possible).slice(0, count))];
}

function usualChanges(possible: readonly Change[], isAlias: boolean, random: Random): readonly Change[] {
  const changes: Change[] = random.chance(0.5) ? ['looks'] : [];
  let left = 1 + random.below(MAX_CHANGES.usual) - (isAlias ? 1 : 0);
  for (const change of random.shuffle(possible)) {
    const size = change === 'two typos' ? 2 : 1;
    if (size > left || changes.includes(change) || change === 'looks') continue;
    changes.push(change);
    left -= size;
  }
  return changes;
}

/** The name is changed; the birth date has sometimes a slip, the country is sometimes a new one. */
function onTheList(listed: Listed, changesOf: ChangesOf, random: Random): LabelledSubject {
  const { culture, entry, names } = listed;
  const parts = random.pick(names);
  const changes = changesOf(changesFor(culture, parts), parts !== names[0], random);
  const how = [...changes, ...(parts === names[0] ? [] : ['alias'])].sort().join(', ');
  const country = random.chance(0.85) ? (entry.countries[0] ?? '') : random.pick(random.pick(CULTURES).countries);
  return {
    subject: {
      names: [writeChanged(culture, parts, changes, random)],
      type: culture.kind === 'person' ? 'person' : 'business',
      birthDate: culture.kind === 'person' && random.chance(KNOWN.birthDate) ? ownBirthDate(listed, random) : null,
      countries: random.chance(KNOWN.country) ? [country] : [],
    },
    entryId: entry.id,
    how,
  };
}

function ownBirthDate({ birth }: Listed, random: Random): string {
  const slip = random.next();
  if (slip < 0.04 && birth.day <= 12) return isoDate(birth.year, birth.day, birth.month);
  if (slip < 0.08) return isoDate(birth.year + random.pick([-10, 10, -1, 1]), birth.month, birth.day);
  return isoDate(birth.year, birth.month, birth.day);
}

/** Not on the list, though nearly: undefined when the draw happened to be a name of the list. */
function nearMiss(listed: Listed, book: NameBook, random: Random): LabelledSubject | undefined {
  const { culture, entry, names } = listed;
  const main = names[0] ?? [];
  const isPerson = culture.kind === 'person';
  const kinds = isPerson
    ? ['other given name', 'other family name', 'other middle name', 'namesake', 'parts of two names']
    : ['other word', 'other word', 'other sector', 'parts of two names'];
  const how = random.pick(kinds);
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const parts = how === 'namesake' ? main : nearlyThe(how, culture, main, random);
    if (parts === undefined) return undefined;
    if (how !== 'namesake' && book.mayBeListed(parts)) continue;
    if (how === 'namesake' && book.countListed(parts) > 1) return undefined;
    return missSubject({ how, culture, parts, listed: entry, year: listed.birth.year }, random);
  }
  return undefined;
}

function nearlyThe(how: string, culture: Culture, main: readonly Part[], random: Random): readonly Part[] | undefined {
  const role =
    { 'other family name': 'family', 'other middle name': 'middle', 'other sector': 'sector' }[how] ?? 'given';
  if (how === 'parts of two names') {
    const [one, two] = [culture.draw(random), culture.draw(random)];
    return one.map((part, at) =>
      random.chance(0.5) ? part : (two.find((each, other) => each.role === part.role && other >= at) ?? part),
    );
  }
  const places = main.filter((part) => part.role === role);
  if (places.length === 0) return undefined;
  const place = random.pick(places);
  return main.map((part) => (part === place ? culture.redraw(part, random) : part));
}

interface Miss {
  readonly how: string;
  readonly culture: Culture;
  readonly parts: readonly Part[];
  readonly listed: ListEntry;
  readonly year: number;
}

function missSubject({ how, culture, parts, listed, year }: Miss, random: Random): LabelledSubject | undefined {
  const isPerson = culture.kind === 'person';
  const isNamesake = how === 'namesake';
  // Only birth date and country tell a namesake from the person on the list, so both must be known.
  if (isNamesake && listed.birthDates.length === 0) return undefined;
  const distance = (3 + random.below(30)) * (random.chance(0.5) ? 1 : -1);
  const birthYear = isNamesake ? year + distance : 1940 + random.below(65);
  const elsewhere = CULTURES.flatMap(({ countries }) => countries).filter(
    (country) => !listed.countries.includes(country),
  );
  const country = isNamesake ? random.pick(elsewhere) : random.pick(culture.countries);
  const changes = random.chance(0.5) ? (['looks'] as const) : [];
  return {
    subject: {
      names: [writeChanged(culture, parts, changes, random)],
      type: isPerson ? 'person' : 'business',
      birthDate:
        isPerson && (isNamesake || random.chance(KNOWN.birthDate))
          ? isoDate(birthYear, 1 + random.below(12), 1 + random.below(28))
          : null,
      countries: isNamesake || random.chance(KNOWN.country) ? [country] : [],
    },
    entryId: undefined,
    how,
  };
}

function isoDate(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
