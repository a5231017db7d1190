/**
 * What it costs to change one letter into another, or to leave it out: less where people hear or write the two for each
 * other. As tables by character code, because a name is compared with some hundred others, letter by letter.
 * Open point OP-188.
 */

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

const BY_SOUND: Costs = {
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
const WITHOUT_VOWELS: Costs = { ...BY_SOUND, nearVowels: 0.15, farVowels: 0.15, dropVowel: 0.08, uForV: 0.15 };
const BY_LETTER: Costs = {
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

/** Words are of ASCII letters and digits. */
export const CHARS = 128;

export interface CostTable {
  /** From letter a to letter b, at a * CHARS + b. */
  readonly change: Float64Array;
  readonly drop: Float64Array;
  readonly swap: number;
  readonly other: number;
}

export const WRITTEN = tableOf(BY_SOUND);
export const UNWRITTEN = tableOf(WITHOUT_VOWELS);
export const LETTER_BY_LETTER = tableOf(BY_LETTER);
/** No letter that is left out costs less where vowels are written. */
export const LEAST_DROP = BY_SOUND.dropH;

function tableOf(costs: Costs): CostTable {
  const change = new Float64Array(CHARS * CHARS);
  const drop = new Float64Array(CHARS);
  for (let left = 0; left < CHARS; left += 1) {
    drop[left] = dropCost(String.fromCharCode(left), costs);
    for (let right = 0; right < CHARS; right += 1) {
      const cost = changeCost(String.fromCharCode(left), String.fromCharCode(right), costs);
      change[left * CHARS + right] = left === right ? 0 : cost;
    }
  }
  return { change, drop, swap: costs.swap, other: costs.other };
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
