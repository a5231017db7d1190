/**
 * A word in any script as words in small ASCII letters, by the sound of its letters. Letters of another script that
 * only look like those around them are read as what they look like.
 */
import anyAscii from 'any-ascii';
import type { AsciiWord } from './servant-names.ts';

const WRITTEN_WITHOUT_VOWELS = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;
/** One sign is one syllable. */
const SYLLABIC = /[\p{Script=Han}\p{Script=Hangul}]/u;
/** Signs that are read differently when they are a family name. */
const FAMILY_SIGNS = new Map([
  ['曾', 'zeng'],
  ['单', 'shan'],
  ['解', 'xie'],
  ['仇', 'qiu'],
  ['查', 'zha'],
  ['区', 'ou'],
  ['朴', 'piao'],
]);
const ARABIC_ARTICLE = /^(?:ال|آل)(?=\p{L}{3})/u;
const GREEK = /\p{Script=Greek}/u;

/** What two Greek letters together stand for; letter by letter they would become something else. */
const GREEK_PAIRS: readonly (readonly [RegExp, string])[] = [
  [/ου/gi, 'ou'],
  [/(?<!\p{L})μπ/giu, 'b'],
  [/(?<!\p{L})ντ/giu, 'd'],
  [/(?<!\p{L})γκ/giu, 'g'],
  [/γγ/gi, 'ng'],
  [/([αε])υ(?=[αεηιουωβγδζλμνρ])/gi, '$1v'],
  [/([αε])υ/gi, '$1f'],
];

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
/** Cyrillic letters, and the Latin ones that nobody can tell from them. */
const LOOK_ALIKES = ['АВЕЅІЈКМНОРСТУХаеѕіјорсухһԁԛԝ', 'ABESIJKMHOPCTYXaesijopcyxhdqw'] as const;
const AS_LATIN = mapOf(...LOOK_ALIKES);
const AS_CYRILLIC = mapOf(LOOK_ALIKES[1], LOOK_ALIKES[0]);

function mapOf(from: string, to: string): ReadonlyMap<string, string> {
  return new Map([...from].map((letter, at) => [letter, to.charAt(at)]));
}

export function asciiWords(written: string): readonly AsciiWord[] {
  const word = inOneScript(written);
  const isWithoutVowels = WRITTEN_WITHOUT_VOWELS.test(word);
  if (SYLLABIC.test(word)) {
    const syllables = [...word].map((sign, at) => (at === 0 ? FAMILY_SIGNS.get(sign) : undefined) ?? plainAscii(sign));
    return syllables.filter(Boolean).map((text) => ({ text, isWithoutVowels: false }));
  }
  if (isWithoutVowels && ARABIC_ARTICLE.test(word)) {
    const rest = plainAscii(word.replace(ARABIC_ARTICLE, ''));
    return [
      { text: 'al', isWithoutVowels: false },
      { text: rest, isWithoutVowels },
    ];
  }
  const text = plainAscii(GREEK.test(word) ? fromGreek(word) : word);
  return text === '' ? [] : [{ text, isWithoutVowels }];
}

/** A letter that is of one script alone says which one is meant. */
function inOneScript(word: string): string {
  if (!LATIN.test(word) || !CYRILLIC.test(word)) return word;
  const letters = [...word];
  const isLatin = letters.every((letter) => AS_LATIN.has(letter) || !CYRILLIC.test(letter));
  const meant = isLatin ? AS_LATIN : AS_CYRILLIC;
  return letters.map((letter) => meant.get(letter) ?? letter).join('');
}

function plainAscii(text: string): string {
  return anyAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

function fromGreek(word: string): string {
  // Accents stand on the second letter of a pair and would hide it.
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '');
  return GREEK_PAIRS.reduce((text, [pair, sound]) => text.replace(pair, sound), bare);
}
