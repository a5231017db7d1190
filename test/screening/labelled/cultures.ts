/**
 * Draws names as they are built in several parts of the world. A part of a name is known by its id, whatever way it is
 * written: two names are the same when their parts are, which is decided without looking at any spelling.
 */
import type { Random } from './random.ts';
import * as arabic from './words-arabic.ts';
import * as other from './words-other.ts';
import * as slavic from './words-slavic.ts';

export interface Part {
  readonly id: string;
  readonly role: 'given' | 'middle' | 'family' | 'sector' | 'form';
  /** In its own script where that is not Latin. */
  readonly native: string | null;
  /** Spellings in Latin letters; lists use the first ones more often. */
  readonly latin: readonly string[];
}

export interface Culture {
  readonly name: string;
  readonly kind: 'person' | 'entity';
  readonly countries: readonly string[];
  /** Of 100 entries. */
  readonly share: number;
  draw(random: Random): readonly Part[];
  /** Another part that could stand in the same place. */
  redraw(part: Part, random: Random): Part;
}

type Role = Part['role'];

const split = (text: string): string[] => text.trim().split(/\s+/);
const spaced = (text: string): string => text.replaceAll('_', ' ');

function plain(text: string, role: Role): Part[] {
  return split(text).map((word) => ({ id: `${role}:${word}`, role, native: null, latin: [spaced(word)] }));
}

function inLines(text: string, role: Role): Part[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [native = '', ...latin] = split(line);
      return { id: `ar:${native}`, role, native: spaced(native), latin: latin.map(spaced) };
    });
}

function cyrillic(words: readonly string[], role: Role): Part[] {
  return [...new Set(words)].map((native) => ({
    id: `${role}:${native}`,
    role,
    native,
    latin: Object.keys(slavic.SCHEMES).map((scheme) => slavic.romanise(native, scheme)),
  }));
}

function signs(text: string, role: Role): Part[] {
  const bySound = new Map<string, Part>();
  for (const word of split(text)) {
    const [native = '', latin = ''] = [word.slice(0, 1), word.slice(1)];
    if (!bySound.has(latin)) bySound.set(latin, { id: `${role}:${latin}`, role, native, latin: [latin] });
  }
  return [...bySound.values()];
}

function colons(text: string, role: Role): Part[] {
  return split(text).map((word) => {
    const [native = '', ...latin] = word.split(':');
    return { id: `${role}:${native}`, role, native, latin };
  });
}

/** A culture whose names are lists of parts, each drawn from its own words. */
function fromPlaces(
  about: Omit<Culture, 'draw' | 'redraw'>,
  places: (random: Random) => readonly (readonly Part[])[],
  words: readonly (readonly Part[])[],
): Culture {
  return {
    ...about,
    draw(random) {
      const parts: Part[] = [];
      for (const place of places(random)) {
        let part = random.pickSkewed(place);
        // Nobody is called Ali Ali here: which of the two is left out could not be told.
        for (let again = 0; again < 20 && parts.some(({ id }) => id === part.id); again += 1) part = random.pick(place);
        parts.push(part);
      }
      return parts;
    },
    redraw(part, random) {
      const place = words.find((set) => set.some(({ id, role }) => id === part.id && role === part.role)) ?? [part];
      let drawn = part;
      for (let again = 0; again < 20 && drawn.id === part.id; again += 1) drawn = random.pick(place);
      return drawn;
    },
  };
}

const asMiddle = (parts: readonly Part[]): Part[] => parts.map((part) => ({ ...part, role: 'middle' }));

const ru = {
  men: cyrillic(split(slavic.GIVEN.male), 'given'),
  women: cyrillic(split(slavic.GIVEN.female), 'given'),
  sons: cyrillic(
    split(slavic.FATHERS).map((stem) => `${stem}ич`),
    'middle',
  ),
  daughters: cyrillic(
    split(slavic.FATHERS).map((stem) => `${stem}на`),
    'middle',
  ),
  families: cyrillic(slavic.surnames(), 'family'),
};
const ar = {
  given: [...inLines(arabic.GIVEN, 'given'), ...inLines(arabic.SERVANTS, 'given')],
  families: inLines(arabic.FAMILIES, 'family'),
};
const arFathers = asMiddle(ar.given);
const zh = { families: signs(other.CHINESE_FAMILIES, 'family'), given: signs(other.CHINESE_SYLLABLES, 'given') };
const el = {
  given: colons(other.GREEK_GIVEN, 'given'),
  families: colons(other.GREEK_ROOTS, 'family').flatMap((root) =>
    colons(other.GREEK_ENDINGS, 'family').map((ending) => ({
      id: root.id + ending.id,
      role: 'family' as const,
      native: `${root.native}${ending.native}`,
      latin: [`${root.latin[0]}${ending.latin[0]}`],
    })),
  ),
};
const es = { given: plain(other.SPANISH_GIVEN, 'given'), families: plain(other.SPANISH_FAMILIES, 'family') };
const esSecond = asMiddle(es.given);
const we = { given: plain(other.WESTERN_GIVEN, 'given'), families: plain(other.WESTERN_FAMILIES, 'family') };
const weSecond = asMiddle(we.given);
const bu = {
  names: plain(other.BUSINESS_NAMES, 'given'),
  sectors: plain(other.BUSINESS_SECTORS, 'sector'),
  forms: other.BUSINESS_FORMS.map((form) => ({ id: 'form', role: 'form' as const, native: null, latin: [form] })),
};

export const CULTURES: readonly Culture[] = [
  fromPlaces(
    { name: 'russian', kind: 'person', countries: ['RU', 'RU', 'RU', 'BY', 'KZ', 'UA'], share: 26 },
    (random) => (random.chance(0.75) ? [ru.men, ru.sons, ru.families] : [ru.women, ru.daughters, ru.families]),
    [ru.men, ru.women, ru.sons, ru.daughters, ru.families],
  ),
  fromPlaces(
    { name: 'arabic', kind: 'person', countries: ['IQ', 'SY', 'YE', 'LY', 'SA', 'EG'], share: 20 },
    (random) => [
      ar.given,
      ...(random.chance(0.7) ? [arFathers] : []),
      ...(random.chance(0.2) ? [arFathers] : []),
      ar.families,
    ],
    [ar.given, arFathers, ar.families],
  ),
  fromPlaces(
    { name: 'chinese', kind: 'person', countries: ['CN', 'CN', 'HK', 'SG'], share: 12 },
    (random) => [zh.families, zh.given, ...(random.chance(0.85) ? [zh.given] : [])],
    [zh.families, zh.given],
  ),
  fromPlaces({ name: 'greek', kind: 'person', countries: ['GR', 'CY'], share: 5 }, () => [el.given, el.families], [
    el.given,
    el.families,
  ]),
  fromPlaces(
    { name: 'spanish', kind: 'person', countries: ['CO', 'MX', 'VE', 'CU', 'ES'], share: 14 },
    (random) => [es.given, ...(random.chance(0.5) ? [esSecond] : []), es.families, es.families],
    [es.given, esSecond, es.families],
  ),
  fromPlaces(
    { name: 'western', kind: 'person', countries: ['NG', 'GH', 'SN', 'GB', 'US', 'DE'], share: 9 },
    (random) => [we.given, ...(random.chance(0.6) ? [weSecond] : []), we.families],
    [we.given, weSecond, we.families],
  ),
  fromPlaces(
    { name: 'business', kind: 'entity', countries: ['AE', 'RU', 'IR', 'CN', 'SY', 'PA'], share: 14 },
    () => [bu.names, bu.names, bu.sectors, bu.forms],
    [bu.names, bu.sectors, bu.forms],
  ),
];
