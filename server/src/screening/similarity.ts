/**
 * How alike two words are, 0 to 1: an edit distance in which likely differences cost less than unlikely ones. Vowels
 * are often heard or written differently, some consonants are mistaken for each other, neighbours change places.
 */
import { CHARS, type CostTable, LEAST_DROP, LETTER_BY_LETTER, UNWRITTEN, WRITTEN } from './edit-costs.ts';

/** The part of a word that may be different before it is another word. Open point OP-188. */
const MAX_DIFFERENT_SHARE = 0.29;
/** Words shorter than this allow less: a letter of Ali makes another name. */
const SHORT_WORD_CHARS = 4;
const SHORT_WORD_MAX_COST = 0.65;
/** Longer words do not allow more than a slip and another way of writing. */
const MAX_COST = 1.75;
const ONE_SLIP = 1;
/** In a shorter word one letter makes another name. */
const LEAST_SLIP_CHARS = 4;
/** How far a word at the limit above falls below 1, for each share that differs. */
const LOSS_PER_SHARE = 0.75;
/** Beyond it, words that are still a little alike neither confirm a name nor contradict it fully. */
const MAX_REMOTE_SHARE = 0.4;
const REMOTE = 0.86;
const LOSS_PER_REMOTE_SHARE = 1.1;
/**
 * Words that differ by more than spelling though by few letters: other endings of families, other Chinese syllables.
 */
const OTHER_ENDING = 0.5;
const OTHER_SYLLABLE = 0.76;
/** Of a wrong letter at the start, as a multiple: fingers and ears seldom miss that one. */
const FIRST_LETTER = 1.6;
/** From here on two words may be the same one; below they are only a little alike. */
export const LEAST_SAME = 0.75;
const MAX_COMPARED_CHARS = 40;

/** Row by row of the largest comparison; the program compares one pair of words at a time. */
const emptyRow = () => new Float64Array(MAX_COMPARED_CHARS + 1);
const rows: [Float64Array, Float64Array, Float64Array] = [emptyRow(), emptyRow(), emptyRow()];

export interface ComparedWord {
  readonly text: string;
  readonly folded: string;
  /** How many letters of it tell it from others. */
  readonly tellingChars: number;
  readonly ending: string;
  readonly isWithoutVowels: boolean;
  readonly isPinyin: boolean;
}

/**
 * 0 when they are different words; with `onlySame` also when they are only a little alike, which is found out sooner.
 */
export function similarity(left: ComparedWord, right: ComparedWord, onlySame = false): number {
  if (left.text === right.text) return 1;
  const slip = slipSimilarity(left.text, right.text);
  // In a Chinese name a wrong letter makes another syllable, and a slip seldom makes one that there is.
  if (left.isPinyin && right.isPinyin) {
    return !onlySame && isOneLetterOther(left.text, right.text) ? Math.min(slip, OTHER_SYLLABLE) : slip;
  }
  const degree = Math.max(slip, soundSimilarity(left, right, onlySame));
  const isOtherEnding = left.ending !== right.ending && left.ending !== '' && right.ending !== '';
  return isOtherEnding ? Math.min(degree, OTHER_ENDING) : degree;
}

function isOneLetterOther(left: string, right: string): boolean {
  return left.length === right.length && [...left].filter((letter, at) => letter !== right.charAt(at)).length === 1;
}

/** As they are written: one letter too many, too few, wrong, or out of order. */
export function slipSimilarity(left: string, right: string): number {
  const longest = Math.max(left.length, right.length);
  if (longest < LEAST_SLIP_CHARS || longest > MAX_COMPARED_CHARS || Math.abs(left.length - right.length) > 1) return 0;
  const cost = editCost(left, right, ONE_SLIP, LETTER_BY_LETTER);
  return cost > ONE_SLIP ? 0 : 1 - (LOSS_PER_SHARE * cost) / longest;
}

/** As they sound: other spellings of nearly the same. */
function soundSimilarity(left: ComparedWord, right: ComparedWord, onlySame: boolean): number {
  if (left.folded === right.folded) return 1;
  const longest = Math.max(left.folded.length, right.folded.length);
  const shortest = Math.min(left.folded.length, right.folded.length);
  const skipsVowels = left.isWithoutVowels !== right.isWithoutVowels;
  if (longest > MAX_COMPARED_CHARS || shortest < 2) return 0;
  const telling = Math.max(left.tellingChars, right.tellingChars);
  const strongCost =
    telling < SHORT_WORD_CHARS ? SHORT_WORD_MAX_COST : Math.min(MAX_COST, telling * MAX_DIFFERENT_SHARE);
  const weakCost = onlySame || telling < SHORT_WORD_CHARS ? strongCost : telling * MAX_REMOTE_SHARE;
  if (!skipsVowels && (longest - shortest) * LEAST_DROP > weakCost) return 0;
  const cost = editCost(left.folded, right.folded, weakCost, skipsVowels ? UNWRITTEN : WRITTEN);
  if (cost > weakCost) return 0;
  return cost <= strongCost ? 1 - (LOSS_PER_SHARE * cost) / telling : REMOTE - (LOSS_PER_REMOTE_SHARE * cost) / telling;
}

/** Above `maxCost` the exact number does not matter. */
function editCost(left: string, right: string, maxCost: number, { change, drop, swap, other }: CostTable): number {
  let [before, above, row] = rows;
  above[0] = 0;
  for (let j = 1; j <= right.length; j += 1) above[j] = (above[j - 1] ?? 0) + (drop[right.charCodeAt(j - 1)] ?? other);
  for (let i = 1; i <= left.length; i += 1) {
    const mine = left.charCodeAt(i - 1);
    const mineDrop = drop[mine] ?? other;
    let least = (above[0] ?? 0) + mineDrop;
    row[0] = least;
    for (let j = 1; j <= right.length; j += 1) {
      const theirs = right.charCodeAt(j - 1);
      const changed = change[mine * CHARS + theirs] ?? other;
      let cost = (above[j - 1] ?? 0) + (i === 1 && j === 1 && changed === other ? FIRST_LETTER : changed);
      cost = Math.min(cost, (above[j] ?? 0) + mineDrop, (row[j - 1] ?? 0) + (drop[theirs] ?? other));
      if (i > 1 && j > 1 && mine === right.charCodeAt(j - 2) && left.charCodeAt(i - 2) === theirs) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + swap);
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > maxCost) return least;
    [before, above, row] = [above, row, before];
  }
  return above[right.length] ?? 0;
}
