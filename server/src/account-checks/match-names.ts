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

function isFoundIn(a: readonly string[], b: readonly string[]): boolean {
  const seen = new Set<string>();
  const all = 2 ** a.length - 1;
  const search = (used: Used): boolean => {
    const key = `${used.a} ${used.b} ${used.hasWhole}`;
    if (seen.has(key)) return false;
    seen.add(key);
    if (used.a === all) return isEnough(used, a, b);
    return steps(used, a, b).some(search);
  };
  return search({ a: 0, b: 0, hasWhole: false });
}

/** One word alone is enough only for a name that has no other. */
function isEnough({ b: usedB, hasWhole }: Used, a: readonly string[], b: readonly string[]): boolean {
  const hasSeveral = a.length > 1 || b.filter((_, place) => usedB & (1 << place)).length > 1;
  return hasWhole && (hasSeveral || b.length === 1);
}

/** Every way to account for the first word of `a` that is not used yet. */
function steps(used: Used, a: readonly string[], b: readonly string[]): Used[] {
  const place = a.findIndex((_, index) => !(used.a & (1 << index)));
  const word = a[place] ?? '';
  const usedA = used.a | (1 << place);
  const single = b.flatMap((other, index): Used[] => {
    if (used.b & (1 << index)) return [];
    const bits = { a: usedA, b: used.b | (1 << index) };
    if (word === other) return [{ ...bits, hasWhole: used.hasWhole || word.length > 1 }];
    return isInitial(word, other) || isInitial(other, word) ? [{ ...bits, hasWhole: used.hasWhole }] : [];
  });
  const divided = joined(b, used.b)
    .filter(({ text }) => text === word)
    .map(({ bits }) => ({ a: usedA, b: used.b | bits, hasWhole: true }));
  const written = joined(a, used.a, place).flatMap(({ text, bits }) =>
    b.flatMap((other, index) =>
      other === text && !(used.b & (1 << index))
        ? [{ a: used.a | bits, b: used.b | (1 << index), hasWhole: true }]
        : [],
    ),
  );
  return [...single, ...divided, ...written];
}

function isInitial(short: string, long: string): boolean {
  return short.length === 1 && long.length > 1 && long.startsWith(short);
}

interface Joined {
  readonly text: string;
  readonly bits: number;
}

/** Two or three unused words as one, in every order; with the one at `place` among them, where it is given. */
function joined(words: readonly string[], used: number, place?: number): Joined[] {
  const grow = ({ text, bits }: Joined): Joined[] =>
    words.flatMap((word, index) =>
      (used | bits) & (1 << index) ? [] : [{ text: text + word, bits: bits | (1 << index) }],
    );
  let made = grow({ text: '', bits: 0 });
  const all: Joined[] = [];
  for (let count = 2; count <= MAX_JOINED; count += 1) {
    made = made.flatMap(grow);
    all.push(...made.filter(({ bits }) => place === undefined || bits & (1 << place)));
  }
  return all;
}
