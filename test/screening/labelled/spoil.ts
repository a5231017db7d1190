/** What happens to a name between a list and a form that somebody filled in. */
import type { Culture, Part } from './cultures.ts';
import type { Random } from './random.ts';

export type Change =
  | 'transliterated'
  | 'script'
  | 'reordered'
  | 'typo'
  | 'two typos'
  | 'missing'
  | 'initial'
  | 'spacing'
  | 'looks';

const KEY_ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const LEAST_TYPO_CHARS = 5;

/** The changes that make sense for this name. */
export function changesFor(culture: Culture, parts: readonly Part[]): readonly Change[] {
  const canMiss = parts.some(({ role }) => role === 'middle' || role === 'sector');
  const isPerson = culture.kind === 'person';
  return [
    'typo',
    'looks',
    ...(isPerson ? (['reordered', 'reordered', 'two typos'] as const) : []),
    ...(parts.some(({ latin }) => latin.length > 1) ? (['transliterated', 'transliterated'] as const) : []),
    ...(parts.every(({ native }) => native !== null) ? (['script'] as const) : []),
    ...(canMiss && isPerson ? (['missing', 'initial'] as const) : []),
    ...(culture.name === 'chinese' || culture.name === 'arabic' || culture.name === 'spanish'
      ? (['spacing'] as const)
      : []),
  ];
}

/** How a list writes the name: in one of the two most usual spellings of each part. */
export function writeForList(culture: Culture, parts: readonly Part[], random: Random): string {
  const style = random.below(2);
  return arrange(culture, parts, (part) => part.latin[Math.min(style, part.latin.length - 1)] ?? '');
}

export function writeChanged(
  culture: Culture,
  parts: readonly Part[],
  changes: readonly Change[],
  random: Random,
): string {
  const has = (change: Change) => changes.includes(change);
  const middles = parts.filter(({ role }) => role === 'middle');
  const dropped = has('missing') ? random.pick(middles) : undefined;
  const shortened = has('initial') ? random.pick(middles) : undefined;
  const kept = parts.filter((part) => part !== dropped);
  const style = random.below(5);
  const write = (part: Part): string => {
    if (has('script') && part.native !== null) return part.native;
    // A business changes its legal form more easily than its name.
    if (part.role === 'form') return random.pick(['LLC', 'Ltd', 'Limited', 'JSC', 'FZE', 'GmbH', '']);
    const text = part.latin[has('transliterated') ? style % part.latin.length : 0] ?? '';
    return part === shortened ? text.charAt(0) : text;
  };
  let words = arrange(culture, kept, write, has('reordered') ? random : undefined)
    .split(' ')
    .filter(Boolean);
  if (has('spacing')) words = respace(culture, words, random);
  if (!has('script')) {
    const typos = has('two typos') ? 2 : has('typo') ? 1 : 0;
    words = withTypos(words, typos, random);
  }
  return has('looks') ? dress(culture, words.join(' '), random) : words.join(' ');
}

/** In the culture's own order, or, with chance at hand, family name first, with a comma, or anyhow. */
function arrange(culture: Culture, parts: readonly Part[], write: (part: Part) => string, mix?: Random): string {
  const texts = parts.map((part) => ({ text: write(part), isFamily: part.role === 'family' }));
  if (culture.name === 'chinese') {
    const family = texts.filter(({ isFamily }) => isFamily).map(({ text }) => text);
    const given = texts.filter(({ isFamily }) => !isFamily).map(({ text }) => text);
    const isLatin = /[a-z]/i.test(given.join(''));
    const [first = '', ...rest] = given;
    const name = isLatin ? first + rest.join('').toLowerCase() : given.join('');
    if (!isLatin) return family.join('') + name;
    return mix ? `${name} ${family.join(' ')}` : `${family.join(' ')} ${name}`;
  }
  if (mix === undefined) return texts.map(({ text }) => text).join(' ');
  const family = texts
    .filter(({ isFamily }) => isFamily)
    .map(({ text }) => text)
    .join(' ');
  const others = texts.filter(({ isFamily }) => !isFamily).map(({ text }) => text);
  const way = mix.below(3);
  if (way === 0) return `${family} ${others.join(' ')}`;
  if (way === 1) return `${family.toUpperCase()}, ${others.join(' ')}`;
  return mix.shuffle([family, ...others]).join(' ');
}

/** Together, apart or with a hyphen. */
function respace(culture: Culture, words: readonly string[], random: Random): string[] {
  if (culture.name === 'chinese') {
    const cut = (word: string) =>
      word.replace(/(?<=[aeiouvnrg])(?=(?:[bpmfdtlkhjqxzcswy]|n(?=[aeiou]))h?[aeiou])/g, random.pick([' ', '-']));
    return words.map((word, at) => (at === 1 ? cut(word) : word));
  }
  const text = words.join(' ');
  const together = text
    .replace(/\b(al|el)[- ]/gi, (article) =>
      random.pick([article.trim().replace('-', ''), article, article.replace('-', ' ')]),
    )
    .replace(/\b(abdul|abd al|abd)[- ]/gi, (start) => random.pick([start, start.replace(/[- ]/g, '')]))
    .replace(/\b(de la|de|del) /gi, (start) => random.pick([start, start.replaceAll(' ', '')]));
  return together.split(' ');
}

function withTypos(words: readonly string[], count: number, random: Random): string[] {
  const long = words.flatMap((word, at) => (word.replace(/[^\p{L}]/gu, '').length >= LEAST_TYPO_CHARS ? [at] : []));
  const chosen = new Set(random.shuffle(long).slice(0, count));
  return words.map((word, at) => (chosen.has(at) ? mistype(word, random) : word));
}

/** One slip of the finger: a letter too many, too few, a wrong one, or two in the wrong order. */
function mistype(word: string, random: Random): string {
  const places = [...word.matchAll(/(?<=\p{L})\p{L}(?=\p{L})/gu)].map(({ index }) => index);
  const at = random.pick(places);
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  switch (random.below(4)) {
    case 0:
      return before + after;
    case 1:
      return before + random.pick([letter.toLowerCase(), neighbour(letter, random)]) + letter + after;
    case 2:
      return before + neighbour(letter, random) + after;
    default:
      return before + after.charAt(0) + letter + after.slice(1);
  }
}

function neighbour(letter: string, random: Random): string {
  const row = KEY_ROWS.find((keys) => keys.includes(letter.toLowerCase()));
  if (row === undefined || random.chance(0.2)) return LETTERS.charAt(random.below(LETTERS.length));
  const at = row.indexOf(letter.toLowerCase()) + (random.chance(0.5) ? 1 : -1);
  return row.charAt(at) || row.charAt(1);
}

/** Letters large or small, accents lost, a title in front, dots and hyphens. */
function dress(culture: Culture, text: string, random: Random): string {
  const bare = random.chance(0.5) ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
  const cased = random.pick([bare, bare.toUpperCase(), bare.toLowerCase()]);
  if (culture.kind === 'entity') return random.chance(0.3) ? `The ${cased}` : cased;
  return random.chance(0.3) ? `${random.pick(['Mr', 'Dr.', 'Eng.', 'Mrs', 'Prof.'])} ${cased}` : cased;
}
