/**
 * Compares two names word by word, in any order, and says how alike they are. Words that only one of the names has are
 * missing, which costs little; words in which they contradict each other cost as much as they weigh.
 */
import { canBeAlike, type JoinedWord, joinWords, type NameWord } from './name-words.ts';
import { LEAST_SAME, similarity } from './similarity.ts';

interface WeighedName {
  readonly words: readonly NameWord[];
  readonly weights: readonly number[];
}

export interface NameMatch {
  /** 0 to 1. */
  readonly score: number;
  readonly links: readonly Link[];
  /** Words of the one name that have no counterpart in the other. */
  readonly unmatched: { readonly own: readonly string[]; readonly listed: readonly string[] };
}

/** Some words of the one name are some words of the other. */
export interface Link {
  readonly own: Span;
  readonly listed: Span;
  readonly similarity: number;
  readonly weight: number;
  readonly how: 'same' | 'spelling' | 'joined' | 'initial';
}

interface Span {
  readonly from: number;
  readonly count: number;
  readonly text: string;
}

// Open point OP-188: what is missing, and how much less two names are alike for it.
/** First and last words are the ones that people do not leave out. */
const MISSING_AT_AN_EDGE = 0.3;
const MISSING_WITHIN = 0.12;
/** With one word in common and others missing, nothing says that it is the same name. */
const MISSING_BESIDE_ONE_WORD = 1;
/** A full family name and an initial are shared by thousands: not enough, unless the list has no more than that. */
const ONE_WORD_AND_INITIALS = 0.83;
/** What is joined by chance is a little like many words; what was joined by people is very like one. */
const LEAST_JOINED = 0.87;
/** An article that was written together with its word is no chance. */
const LEAST_JOINED_ARTICLE = 0.78;
const MAX_JOINED_DIFFERENCE_CHARS = 3;
/** All ways are tried up to here: some thousand steps at most. */
const MAX_WEIGHED_LINKS = 10;
const INITIAL = { similarity: 0.9, weight: 0.35 } as const;

/** First letters of one name in two ways of writing: Jamal and Gamal, Sharif and Cherif, Omar and Umar. */
const INITIALS_ALIKE: ReadonlySet<string> = new Set(['gj', 'cs', 'ou', 'ei', 'ow']);

export function compareNames(own: WeighedName, listed: WeighedName, alike = similarity): NameMatch {
  const links = chooseLinks(possibleLinks(own, listed, alike));
  const left = { own: unlinked(own, links, 'own'), listed: unlinked(listed, links, 'listed') };
  const whole = links.filter(
    ({ how, weight, similarity: degree }) => how !== 'initial' && weight > INITIAL.weight && degree >= LEAST_SAME,
  );
  const words = whole.reduce(
    (sum, link) => sum + Math.max(tellingWords(own, link.own), tellingWords(listed, link.listed)),
    0,
  );
  const weight = links.reduce((sum, link) => sum + link.weight, 0);
  const common = links.reduce((sum, link) => sum + link.weight * link.similarity, 0);
  const against = costOf(left.own, left.listed, words);
  const plain = weight === 0 ? 0 : common / (weight + against);
  const hasInitial = links.some(({ how }) => how === 'initial');
  return {
    score: words === 1 && hasInitial && !isSame(own, listed) ? Math.min(plain, ONE_WORD_AND_INITIALS) : plain,
    links,
    unmatched: { own: left.own.map(({ text }) => text), listed: left.listed.map(({ text }) => text) },
  };
}

/** Letter for letter, in any order. */
function isSame(own: WeighedName, listed: WeighedName): boolean {
  const [left, right] = [own, listed].map(({ words }) =>
    words
      .filter(({ role }) => role !== 'title')
      .map(({ text }) => text)
      .sort()
      .join(' '),
  );
  return left === right;
}

interface Unlinked {
  readonly text: string;
  readonly weight: number;
  readonly isEdge: boolean;
}

/** What the words without a counterpart take away. Each of the shorter side contradicts one of the other side. */
function costOf(own: readonly Unlinked[], listed: readonly Unlinked[], wordsInCommon: number): number {
  const [fewer, more] = own.length <= listed.length ? [own, listed] : [listed, own];
  const heaviestFirst = [...more].sort((left, right) => right.weight - left.weight);
  let cost = 0;
  for (const [at, { weight, isEdge }] of heaviestFirst.entries()) {
    const opponent = fewer[at];
    if (opponent !== undefined) cost += (weight + opponent.weight) / 2;
    else if (wordsInCommon < 2) cost += weight * MISSING_BESIDE_ONE_WORD;
    else cost += weight * (isEdge ? MISSING_AT_AN_EDGE : MISSING_WITHIN);
  }
  return cost;
}

function unlinked(name: WeighedName, links: readonly Link[], side: 'own' | 'listed'): readonly Unlinked[] {
  const last = name.words.filter(({ role }) => role !== 'title').length - 1;
  return name.words.flatMap((word, at) => {
    const isLinked = links.some((link) => at >= link[side].from && at < link[side].from + link[side].count);
    if (isLinked || word.role === 'particle' || word.role === 'title') return [];
    return [{ text: word.text, weight: name.weights[at] ?? 0, isEdge: at === 0 || at === last }];
  });
}

/** Words of a span that are more than particles. */
function tellingWords(name: WeighedName, { from, count }: Span): number {
  return name.words.slice(from, from + count).filter(({ role }) => role !== 'particle').length;
}

interface Choice {
  readonly links: readonly Link[];
  readonly gain: number;
}

/** The heaviest first, as long as neither word was taken before; where words may be joined, the best of all ways. */
function chooseLinks(possible: readonly Link[]): readonly Link[] {
  const sorted = [...possible].sort((left, right) => gainOf(right) - gainOf(left));
  const isPlain = sorted.length > MAX_WEIGHED_LINKS || !sorted.some(({ how }) => how === 'joined');
  return chooseFrom(sorted, 0, { own: 0, listed: 0 }, isPlain).links;
}

function chooseFrom(
  sorted: readonly Link[],
  from: number,
  taken: { readonly own: number; readonly listed: number },
  isPlain: boolean,
): Choice {
  for (let at = from; at < sorted.length; at += 1) {
    const link = sorted[at];
    if (link === undefined) break;
    const [own, listed] = [bitsOf(link.own), bitsOf(link.listed)];
    if ((taken.own & own) !== 0 || (taken.listed & listed) !== 0) continue;
    const rest = chooseFrom(sorted, at + 1, { own: taken.own | own, listed: taken.listed | listed }, isPlain);
    const withIt = { links: [link, ...rest.links], gain: rest.gain + gainOf(link) };
    if (isPlain) return withIt;
    const without = chooseFrom(sorted, at + 1, taken, isPlain);
    return without.gain > withIt.gain ? without : withIt;
  }
  return { links: [], gain: 0 };
}

function gainOf({ weight, similarity: degree }: Link): number {
  return weight * degree;
}

function bitsOf({ from, count }: Span): number {
  return ((1 << count) - 1) << from;
}

function possibleLinks(own: WeighedName, listed: WeighedName, alike: typeof similarity): readonly Link[] {
  const links: Link[] = [];
  for (const [i, mine] of own.words.entries()) {
    for (const [j, theirs] of listed.words.entries()) {
      if (!canBeAlike(mine, theirs)) continue;
      const [ownWeight, listedWeight] = [own.weights[i] ?? 0, listed.weights[j] ?? 0];
      // Where one of them has a name in what is a title in the other, it is a name.
      const isTitle = mine.role === 'title' || theirs.role === 'title';
      const weigh = isTitle ? Math.max : Math.min;
      const link = linkWords(mine, theirs, weigh(ownWeight, listedWeight), alike);
      if (link) links.push({ ...link, own: spanOf(mine, i), listed: spanOf(theirs, j) });
    }
  }
  for (const { span, word, similarity: degree } of joinedLinks(own, listed)) {
    const weight = Math.max(weightOf(own, span), weightOf(listed, word));
    links.push({ own: span, listed: word, similarity: degree, weight, how: 'joined' });
  }
  for (const { span, word, similarity: degree } of joinedLinks(listed, own)) {
    const weight = Math.max(weightOf(listed, span), weightOf(own, word));
    links.push({ own: word, listed: span, similarity: degree, weight, how: 'joined' });
  }
  return links;
}

/** Neighbours of the one name that are, together, a word of the other. */
function* joinedLinks(apart: WeighedName, together: WeighedName) {
  const isNear = (word: NameWord, chars: number) =>
    word.role === 'name' && Math.abs(word.text.length - chars) <= MAX_JOINED_DIFFERENCE_CHARS;
  for (const joined of joinWords(apart.words, (chars) => together.words.some((word) => isNear(word, chars)))) {
    for (const [at, word] of together.words.entries()) {
      const degree = isNear(word, joined.text.length)
        ? withoutParticles(apart, joined, similarity(joined, word, true))
        : 0;
      const isArticle = apart.words[joined.from]?.role === 'particle';
      if (isArticle && isBetterAlone(apart, joined, word, degree)) continue;
      if (degree >= (isArticle ? LEAST_JOINED_ARTICLE : LEAST_JOINED))
        yield { span: joined, word: spanOf(word, at), similarity: degree };
    }
  }
}

/** The other name has the word without its article, or apart from it. */
function isBetterAlone({ words }: WeighedName, { from }: JoinedWord, word: NameWord, degree: number): boolean {
  const alone = words[from + 1];
  return alone !== undefined && degree > 0 && similarity(alone, word, true) >= degree;
}

/** What Alomari and al-Shammari share in their article does not make them alike. */
function withoutParticles({ words }: WeighedName, { from, count, text }: JoinedWord, degree: number): number {
  const particles = words.slice(from, from + count).filter(({ role }) => role === 'particle');
  const idle = particles.reduce((sum, particle) => sum + particle.text.length, 0);
  return 1 - ((1 - degree) * text.length) / Math.max(1, text.length - idle);
}

function linkWords(
  mine: NameWord,
  theirs: NameWord,
  weight: number,
  alike: typeof similarity,
): Omit<Link, 'own' | 'listed'> | undefined {
  if (isLetter(mine) || isLetter(theirs)) {
    // E and y are little words in some languages, and initials everywhere.
    const hasName = mine.role === 'name' || theirs.role === 'name' || mine.role === theirs.role;
    const isMeant = hasName && isInitialOf(mine, theirs);
    return isMeant ? { ...INITIAL, how: 'initial' } : undefined;
  }
  const degree = alike(mine, theirs);
  if (degree === 0) return undefined;
  // Al is no spelling of Ali: a little word that was linked to a name would hide that the name is missing.
  if (degree < 1 && (mine.role === 'particle') !== (theirs.role === 'particle')) return undefined;
  return { similarity: degree, weight, how: degree === 1 ? 'same' : 'spelling' };
}

function isLetter({ text, role }: NameWord): boolean {
  return text.length === 1 && (role === 'initial' || role === 'particle');
}

function isInitialOf(left: NameWord, right: NameWord): boolean {
  const [one, other] = [left.text.charAt(0), right.text.charAt(0)];
  return (
    one === other ||
    left.folded.charAt(0) === right.folded.charAt(0) ||
    INITIALS_ALIKE.has([one, other].sort().join(''))
  );
}

function spanOf({ text }: NameWord, from: number): Span {
  return { from, count: 1, text };
}

function weightOf({ weights }: WeighedName, { from, count }: Span): number {
  return weights.slice(from, from + count).reduce((sum, weight) => sum + weight, 0);
}
