/**
 * How alike two words are, 0 to 1: an edit distance in which likely differences cost less than unlikely ones. Vowels
 * are often heard or written differently, some consonants are mistaken for each other, neighbours change places.
 */

/** The part of a word that may be different before it is another word. Open point OP-188. */
export const MAX_DIFFERENT_SHARE = 0.29;
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
const REMOTE = 0.8;
const LOSS_PER_REMOTE_SHARE = 1.1;
/** Words that differ by more than spelling though by few letters: other endings of families, other Chinese syllables. */
const OTHER_ENDING = 0.5;
const OTHER_SYLLABLE = 0.6;
/** Of a wrong letter at the start, as a multiple: fingers and ears seldom miss that one. */
const FIRST_LETTER = 1.6;
/** From here on two words may be the same one; below they are only a little alike. */
export const LEAST_SAME = 0.75;
export const MAX_COMPARED_CHARS = 40;

interface Costs {
  readonly other: number;
  readonly nearConsonants: number;
  readonly nearVowels: number;
  readonly farVowels: number;
  readonly dropVowel: number;
  readonly dropH: number;
  readonly swap: number;
  /** The letter that stands for w and for a long u. */
  readonly uForV: number;
}

const WRITTEN: Costs = {
  other: 1,
  nearConsonants: 0.4,
  nearVowels: 0.35,
  farVowels: 0.75,
  dropVowel: 0.6,
  dropH: 0.4,
  swap: 0.8,
  uForV: 1,
};
/** Where one side was written without vowels, their absence says nothing. */
const UNWRITTEN: Costs = { ...WRITTEN, nearVowels: 0.15, farVowels: 0.15, dropVowel: 0.08, uForV: 0.15 };
const LETTER_BY_LETTER: Costs = {
  other: 1,
  nearConsonants: 1,
  nearVowels: 1,
  farVowels: 1,
  dropVowel: 1,
  dropH: 1,
  swap: 1,
  uForV: 1,
};

const VOWELS = 'aeiou';
const NEAR_VOWELS = pairs('ae ei ou ao');
const NEAR_CONSONANTS = pairs('bv fv gi gj gk kh hg dt sz sX zX CX Ck Ch Cz Cs jz ij jC bp kX');

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

/** 0 when they are different words; with `onlySame` also when they are only a little alike, which is found out sooner. */
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
  if (!skipsVowels && (longest - shortest) * WRITTEN.dropH > weakCost) return 0;
  const cost = editCost(left.folded, right.folded, weakCost, skipsVowels ? UNWRITTEN : WRITTEN);
  if (cost > weakCost) return 0;
  return cost <= strongCost ? 1 - (LOSS_PER_SHARE * cost) / telling : REMOTE - (LOSS_PER_REMOTE_SHARE * cost) / telling;
}

/** Above `maxCost` the exact number does not matter. */
function editCost(left: string, right: string, maxCost: number, costs: Costs): number {
  let [before, above, row] = rows;
  above[0] = 0;
  for (let j = 1; j <= right.length; j += 1) above[j] = (above[j - 1] ?? 0) + dropCost(right.charAt(j - 1), costs);
  for (let i = 1; i <= left.length; i += 1) {
    const mine = left.charAt(i - 1);
    const drop = dropCost(mine, costs);
    let least = (above[0] ?? 0) + drop;
    row[0] = least;
    for (let j = 1; j <= right.length; j += 1) {
      const theirs = right.charAt(j - 1);
      const change = mine === theirs ? 0 : changeCost(mine, theirs, costs);
      let cost = (above[j - 1] ?? 0) + (i === 1 && j === 1 && change === costs.other ? FIRST_LETTER : change);
      cost = Math.min(cost, (above[j] ?? 0) + drop, (row[j - 1] ?? 0) + dropCost(theirs, costs));
      if (i > 1 && j > 1 && mine === right.charAt(j - 2) && left.charAt(i - 2) === theirs) {
        cost = Math.min(cost, (before[j - 2] ?? 0) + costs.swap);
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > maxCost) return least;
    [before, above, row] = [above, row, before];
  }
  return above[right.length] ?? 0;
}

function dropCost(letter: string, costs: Costs): number {
  if (VOWELS.includes(letter)) return costs.dropVowel;
  return letter === 'h' ? costs.dropH : costs.other;
}

function changeCost(left: string, right: string, costs: Costs): number {
  const pair = left + right;
  if (VOWELS.includes(left) && VOWELS.includes(right)) {
    return NEAR_VOWELS.has(pair) ? costs.nearVowels : costs.farVowels;
  }
  if (pair === 'uv' || pair === 'vu') return costs.uForV;
  return NEAR_CONSONANTS.has(pair) ? costs.nearConsonants : costs.other;
}

/** Both ways round. */
function pairs(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').flatMap((pair) => [pair, [...pair].reverse().join('')]));
}
