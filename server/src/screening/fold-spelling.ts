/**
 * Brings spellings of one sound together: Yevgeny, Evgeniy and Evgenij become one, as do Mohammed and Mohamed. The
 * result is for comparing words with each other; two words that differ after it may still be the same (similarity.ts).
 * X stands for the sound of sh, C for that of ch.
 */

/** The same sound begins with another letter in another way of writing. */
const INITIALS: Readonly<Record<string, string>> = { w: 'v', y: 'i', j: 'i', c: 'k', q: 'k' };

type Rule = readonly [RegExp, string];

const VOWELS = /[aeiou]/g;

/** Endings that thousands of names share, as they are after folding. */
const SHARED_ENDING = /(?<=..)(?:[oe]viC|[oe]vna|[oe]vsk(?:i|a|aia)|enko|opulos|idis|akis)$/;

/** The servant of somebody (servant-names.ts): who that is comes after it. */
const SHARED_START = /^a?bd[aeou]?[lr]?(?=...)/;

/** In this order: longer spellings first. */
const RULES: readonly Rule[] = [
  [/([^aeiou])\1+/g, '$1'],
  [/^[yi]eor[yg]/, 'georg'],
  [/shch|schtsch|chtch|szcz/g, 'X'],
  [/dzh|dsch|dj/g, 'j'],
  [/tsch|tch|cz/g, 'C'],
  [/sch|sh|sz/g, 'X'],
  [/ch/g, 'C'],
  [/kh/g, 'h'],
  [/zh/g, 'z'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/gh/g, 'g'],
  [/ts|tz/g, 'z'],
  [/ck|q/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/^x/, 'X'],
  [/x/g, 'ks'],
  [/w/g, 'v'],
  [/ou|oo/g, 'u'],
  [/ee/g, 'i'],
  [/([aeou])j(?![aeiouy])/g, '$1i'],
  [/ij/g, 'i'],
  [/y/g, 'i'],
  [/(?<=[^aeiou])[ij]o(?=[^aeiou])/g, 'e'],
  [/off?$/, 'ov'],
  [/eff$/, 'ev'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/ae/g, 'a'],
  [/[ae]i/g, 'e'],
  [/ie/g, 'e'],
  [/(.)\1+/g, '$1'],
  [/(?<=.[aeiou])h$/, ''],
  [/v(?:ik|its)$/, 'viC'],
];

/** Letters of scripts without vowels come one by one, and two of their long vowels as consonants. */
const RULES_WITHOUT_VOWELS: readonly Rule[] = [
  [/(?<=.)w/g, 'u'],
  [/(?<=.)y/g, 'i'],
  [/sh/g, 'X'],
  [/kh/g, 'h'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/gh/g, 'g'],
  [/ch/g, 'C'],
  [/q/g, 'k'],
  [/w/g, 'v'],
  [/y/g, 'i'],
  [/(?<=..)h$/, ''],
];

export function foldSpelling(word: string, isWithoutVowels: boolean): string {
  if (word.length === 1) return INITIALS[word] ?? word;
  const spelled = isWithoutVowels ? word : word.replace(/ph/g, 'f');
  return (isWithoutVowels ? RULES_WITHOUT_VOWELS : RULES).reduce((text, [from, to]) => text.replace(from, to), spelled);
}

/** The consonants, one letter for those that are mistaken for each other: what stays however the word was heard. */
export function skeletonOf(folded: string): string {
  return folded
    .replace(VOWELS, '')
    .replace(/[gjhqC]/g, 'k')
    .replace(/[zX]/g, 's')
    .replace(/[vfp]/g, 'b')
    .replace(/d/g, 't');
}

/**
 * The letters that tell a word from others: without start or ending that many share, which count as one letter each.
 */
export function tellingChars(folded: string): number {
  return folded.replace(SHARED_START, '-').replace(SHARED_ENDING, '-').length;
}
