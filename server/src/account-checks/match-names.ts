/**
 * Whether two names can be those of the same holder. Tolerant to order, capitals, accents, titles, initials, further
 * names, and words that are joined or divided; not to other letters. docs/account-validation.md tells the rule with a
 * table of examples, which the tests run. Open point OP-193.
 *
 * The words of one name must all be found in the other. A word is found as itself, as its initial, or as two or three
 * words of the other name written as one. At least one word is found whole, and a name of several words is never found
 * in a single one of them.
 */

/** Ahead of a name in registers of banks, and no part of it. */
const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'mme', 'mlle', 'monsieur', 'madame']);
/** Letters that are no letter with an accent, as registers write them. */
const OTHER_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ŋ: 'n',
  ɛ: 'e',
  ɔ: 'o',
  ɖ: 'd',
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
};
/** Longer names are the same only when all their words are: it keeps the search short. */
const MAX_WORDS = 8;
const MAX_NAME_CHARS = 500;
/** `Jean Paul Marie` written as one word. */
const MAX_JOINED = 3;

export function isSameName(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.length === 0 || b.length === 0) return false;
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return a.toSorted().join(' ') === b.toSorted().join(' ');
  return isFoundIn(a, b) || isFoundIn(b, a);
}

/** Small letters without accents; marks inside a word go, all others divide. */
export function wordsOf(name: string): string[] {
  const plain = name
    .slice(0, MAX_NAME_CHARS)
    .normalize('NFKD')
    .replace(/[\p{M}'’ʼ‘`]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøđðþłıŋɛɔɖɓɗƙƴ]/g, (letter) => OTHER_LETTERS[letter] ?? letter);
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const named = words.filter((word) => !TITLES.has(word));
  return named.length > 0 ? named : words;
}

/** Words that are used up, as bits, by place. */
interface Used {
  readonly a: number;
  readonly b: number;
  readonly hasWhole: boolean;
}

/** The two names, and where words of one, written as one, are a word of the other. Looked for once. */
interface Pair {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly joinedInA: readonly Joined[];
  readonly joinedInB: readonly Joined[];
}

interface Joined {
  readonly text: string;
  readonly bits: number;
}

function isFoundIn(a: readonly string[], b: readonly string[]): boolean {
  const pair = { a, b, joinedInA: joinedAs(a, b), joinedInB: joinedAs(b, a) };
  const seen = new Set<string>();
  const all = 2 ** a.length - 1;
  const search = (used: Used): boolean => {
    const key = `${used.a} ${used.b} ${used.hasWhole}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return used.a === all ? isEnough(used, pair) : steps(used, pair).some(search);
  };
  return search({ a: 0, b: 0, hasWhole: false });
}

/** One word alone is enough only for a name that has no other. */
function isEnough({ b: usedB, hasWhole }: Used, { a, b }: Pair): boolean {
  const hasSeveral = a.length > 1 || b.filter((_, place) => isIn(usedB, place)).length > 1;
  return hasWhole && (hasSeveral || b.length === 1);
}

/** Every way to account for the first word of `a` that is not used yet. */
function steps(used: Used, { a, b, joinedInA, joinedInB }: Pair): Used[] {
  const place = a.findIndex((_, index) => !isIn(used.a, index));
  const word = a[place] ?? '';
  const usedA = used.a | (1 << place);
  const single = b.flatMap((other, index): Used[] => {
    // Of equal words the first one that is free stands for all.
    const isFree = !isIn(used.b, index) && b.findIndex((one, at) => one === other && !isIn(used.b, at)) === index;
    const isWhole = word === other;
    if (!isFree || !(isWhole || isInitial(word, other) || isInitial(other, word))) return [];
    return [{ a: usedA, b: used.b | (1 << index), hasWhole: used.hasWhole || (isWhole && word.length > 1) }];
  });
  const divided = joinedInB
    .filter(({ text, bits }) => text === word && (bits & used.b) === 0)
    .map(({ bits }) => ({ a: usedA, b: used.b | bits, hasWhole: true }));
  const written = joinedInA
    .filter(({ bits }) => isIn(bits, place) && (bits & used.a) === 0)
    .flatMap(({ text, bits }) => {
      const index = b.findIndex((other, at) => other === text && !isIn(used.b, at));
      return index === -1 ? [] : [{ a: used.a | bits, b: used.b | (1 << index), hasWhole: true }];
    });
  return [...single, ...divided, ...written];
}

function isIn(bits: number, place: number): boolean {
  return (bits & (1 << place)) !== 0;
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.length > 1 && long.startsWith(short);
}

/** Two or three of the words, in every order, where together they are one of the others. */
function joinedAs(words: readonly string[], others: readonly string[]): Joined[] {
  const grow = ({ text, bits }: Joined): Joined[] =>
    words.flatMap((word, index) => (isIn(bits, index) ? [] : [{ text: text + word, bits: bits | (1 << index) }]));
  let made = grow({ text: '', bits: 0 });
  const found = new Map<string, Joined>();
  for (let count = 2; count <= MAX_JOINED; count += 1) {
    made = made.flatMap(grow);
    for (const one of made) if (others.includes(one.text)) found.set(`${one.text} ${one.bits}`, one);
  }
  return [...found.values()];
}
