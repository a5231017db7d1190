/**
 * Abdul Rahman is one name, however many words it is written in: the servant of somebody, whose name says which one.
 * Taken as two words, every Abdul would be like every Abdullah, and half of a name would count as a whole one.
 */

export interface AsciiWord {
  readonly text: string;
  readonly isWithoutVowels: boolean;
}

const SERVANT = /^abd$/;
const SERVANT_OF_THE = /^(?:abd[aeou]l|abdoul|abd[aeu]r)$/;
/** The first as it is in scripts without vowels. */
const UNWRITTEN_SERVANT = /^a?bd$/;
const ARTICLES = new Set(['al', 'el', 'ul', 'ar', 'er', 'ur', 'as', 'es', 'us']);
const GOD = /^a?ll?a?h$/;
/** A given name Abdul with a family name must stay two words: their order may change. */
const LEAST_WORDS_BESIDE = 1;

export function joinServants(words: readonly AsciiWord[]): readonly AsciiWord[] {
  const joined: AsciiWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const found = servantAt(words, at);
    const telling = words.filter(({ text }) => !ARTICLES.has(text)).length;
    if (found === undefined || telling - 2 < LEAST_WORDS_BESIDE) {
      joined.push(...words.slice(at, at + 1));
      continue;
    }
    joined.push(found.word);
    at = found.last;
  }
  return joined;
}

function servantAt(words: readonly AsciiWord[], at: number) {
  const first = words[at];
  if (first === undefined) return undefined;
  const isUnwritten = first.isWithoutVowels && UNWRITTEN_SERVANT.test(first.text);
  const isBare = isUnwritten || SERVANT.test(first.text);
  if (!isBare && !SERVANT_OF_THE.test(first.text)) return undefined;
  const last = isBare && ARTICLES.has(words[at + 1]?.text ?? '') ? at + 2 : at + 1;
  const master = words[last];
  if (master === undefined || ARTICLES.has(master.text) || master.text.length < 2) return undefined;
  const start = isUnwritten ? 'bd' : 'abd';
  const rest = GOD.test(master.text) ? 'allah' : `${isUnwritten ? 'l' : 'ul'}${master.text}`;
  return { word: { text: start + rest, isWithoutVowels: isUnwritten }, last };
}
