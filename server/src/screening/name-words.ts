/**
 * From a name as somebody wrote it, in any script, to its words in small ASCII letters. Good for comparing, not for
 * showing. What is not a letter or a digit separates words, an apostrophe does not.
 */
import { asciiWords } from './ascii-words.ts';
import { foldSpelling, skeletonOf, tellingChars } from './fold-spelling.ts';
import type { EntryKind } from './list-entry.ts';
import { MAX_NAME_CHARS } from './list-entry.ts';
import { familyEnding } from './name-endings.ts';
import { isPinyinName } from './pinyin.ts';
import { type AsciiWord, joinServants } from './servant-names.ts';
import { slipSimilarity } from './similarity.ts';
import { COMMON_BUSINESS_WORDS, COMPANY_FORMS, LONG_COMPANY_FORMS, PARTICLES, TITLES } from './words.ts';

/** How much a word counts before it is known how many entries share it. */
export type WordRole = 'name' | 'common' | 'particle' | 'initial' | 'title';

export interface NameWord {
  /** In small ASCII letters and digits. */
  readonly text: string;
  /** With spellings of the same sound brought together: what is compared. */
  readonly folded: string;
  /** The consonants of that: what is looked up. */
  readonly skeleton: string;
  readonly tellingChars: number;
  /** The class of its ending, where it has one that families are told apart by. */
  readonly ending: string;
  /** From a script that leaves vowels out. */
  readonly isWithoutVowels: boolean;
  /** Of a name that reads as a Chinese one in Latin letters. */
  readonly isPinyin: boolean;
  readonly role: WordRole;
}

/** Names with more words than this are compared by their first ones. */
const MAX_WORDS = 16;
/** A word is never left out when fewer than these would remain. */
const LEAST_WORDS = { person: 2, entity: 1 } as const;

const APOSTROPHES = /['’‘`´ʼʹʻʾʿ]/g;
/** Nobody sees them, so they divide nothing: soft hyphens, joiners, marks of direction. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const SEPARATORS = /[^\p{L}\p{N}\p{M}]+/u;
/** `L.L.C.` and `J.R.` */
export const ABBREVIATION = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}\p{L}?(?![\p{L}\p{N}])/gu;

/** Titles of a person come behind the name. */
export function nameWords(name: string, kind: EntryKind): readonly NameWord[] {
  const plain = familyNameLast(name.slice(0, MAX_NAME_CHARS).normalize('NFKC').replace(UNSEEN, ''), kind);
  const joined = plain.replace(APOSTROPHES, '').replace(ABBREVIATION, (letters) => abbreviation(letters, kind));
  const words = joined.split(SEPARATORS).filter(Boolean).slice(0, MAX_WORDS).flatMap(asciiWords);
  const telling = withoutIdleWords(words, kind);
  const named = namingWords(telling.slice(0, MAX_WORDS), kind);
  if (kind === 'entity') return named;
  const titles = words.filter((word) => !telling.includes(word)).map((word) => nameWord(word, 'title'));
  return [...named, ...titles].slice(0, MAX_WORDS);
}

function namingWords(telling: readonly AsciiWord[], kind: EntryKind): readonly NameWord[] {
  const kept = kind === 'person' ? joinServants(telling) : telling;
  const isPinyin = kind === 'person' && isPinyinName(kept.map(({ text }) => text));
  const words = kept.map(({ text: written, isWithoutVowels }) => {
    // Of the two vowels that look alike, passports write v or u for the second.
    const text = isPinyin || written === 'lv' ? written.replaceAll('v', 'u') : written;
    // Du and An are particles elsewhere; in a Chinese name they are half of it.
    const role = isPinyin && text.length > 1 ? 'name' : roleOf(text, kind);
    return nameWord({ text, isWithoutVowels }, role, { isPinyin, kind });
  });
  return withName(words.filter(({ folded }) => folded !== ''));
}

function nameWord(
  { text, isWithoutVowels }: AsciiWord,
  role: WordRole,
  { isPinyin, kind }: { readonly isPinyin: boolean; readonly kind: EntryKind } = { isPinyin: false, kind: 'person' },
): NameWord {
  // Syllables of pinyin are the same whether they are written together or apart; folding would change that.
  const folded = isPinyin ? text : foldSpelling(text, isWithoutVowels);
  return {
    text,
    folded,
    skeleton: skeletonOf(folded),
    tellingChars: tellingChars(folded),
    ending: kind === 'person' && !isPinyin ? familyEnding(text) : '',
    isWithoutVowels,
    isPinyin,
    role,
  };
}

/** Le Van An has nothing but little words: there they are the name. */
function withName(words: readonly NameWord[]): readonly NameWord[] {
  if (words.some(({ role }) => role === 'name' || role === 'common')) return words;
  return words.map((word) => (word.text.length > 1 ? { ...word, role: 'name' } : word));
}

/** `PETROV, Ivan` is Ivan Petrov. Businesses have commas for other reasons. */
function familyNameLast(name: string, kind: EntryKind): string {
  const comma = name.indexOf(',');
  if (kind === 'entity' || comma === -1) return name;
  return `${name.slice(comma + 1)} ${name.slice(0, comma)}`;
}

/** `L.L.C.` is one word, `J.R.` two initials. */
function abbreviation(letters: string, kind: EntryKind): string {
  const word = letters.replaceAll('.', '');
  const isForm = kind === 'entity' || TITLES.has(word.toLowerCase());
  return isForm ? ` ${word} ` : ` ${[...word].join(' ')} `;
}

function withoutIdleWords(words: readonly AsciiWord[], kind: EntryKind): readonly AsciiWord[] {
  const idle = kind === 'person' ? TITLES : COMPANY_FORMS;
  const isMistyped = (text: string) =>
    kind === 'entity' && LONG_COMPANY_FORMS.some((form) => slipSimilarity(text, form) > 0);
  // Without vowels, Omar has the letters of Mr.
  const kept = words.filter(({ text, isWithoutVowels }) => isWithoutVowels || !(idle.has(text) || isMistyped(text)));
  const whole = kept.filter(({ text }) => text.length > 1);
  return whole.length >= Math.min(LEAST_WORDS[kind], words.length) ? kept : words;
}

function roleOf(text: string, kind: EntryKind): WordRole {
  if (kind === 'person') {
    if (PARTICLES.has(text)) return 'particle';
    return text.length === 1 ? 'initial' : 'name';
  }
  return COMMON_BUSINESS_WORDS.has(text) ? 'common' : 'name';
}

/**
 * Sayed, Hafiz and Major are first names too: a title of one name may be a word of the other, but only the same one.
 */
export function canBeAlike(left: NameWord, right: NameWord): boolean {
  if (left.role !== 'title' && right.role !== 'title') return true;
  return left.role !== right.role && left.text === right.text;
}

/** Words that may have been written as one, or apart: neighbours, and neighbours with a particle between them. */
export interface JoinedWord extends NameWord {
  readonly from: number;
  readonly count: number;
}

/** Only those whose letters are as many as wanted are put together. */
export function joinWords(words: readonly NameWord[], isWanted: (chars: number) => boolean): readonly JoinedWord[] {
  const joined: JoinedWord[] = [];
  for (let from = 0; from + 1 < words.length; from += 1) {
    const most = words[from + 1]?.role === 'particle' ? 3 : 2;
    for (let count = 2; count <= most && from + count <= words.length; count += 1) {
      let chars = 0;
      let isApart = false;
      for (let at = from; at < from + count; at += 1) {
        chars += words[at]?.text.length ?? 0;
        isApart ||= words[at]?.role === 'initial' || words[at]?.role === 'title';
      }
      if (!isApart && isWanted(chars)) joined.push(joinParts(words.slice(from, from + count), from));
    }
  }
  return joined;
}

function joinParts(parts: readonly NameWord[], from: number): JoinedWord {
  const folded = parts.map((part) => part.folded).join('');
  return {
    text: parts.map(({ text }) => text).join(''),
    folded: folded.replace(/(.)\1+/g, '$1'),
    skeleton: parts.map(({ skeleton }) => skeleton).join(''),
    tellingChars: folded.length,
    ending: '',
    isWithoutVowels: parts.some(({ isWithoutVowels }) => isWithoutVowels),
    isPinyin: parts.some(({ isPinyin }) => isPinyin),
    role: 'name',
    from,
    count: parts.length,
  };
}
