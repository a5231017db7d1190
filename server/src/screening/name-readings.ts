/** The ways to read a name that was written in one. All of them are compared, and the best one counts. */
import type { EntryKind } from './list-entry.ts';
import { ABBREVIATION, type NameWord, nameWords } from './name-words.ts';

/** Read as dh in Kadhim and Dhahir, and as z in Kazim and Zawahiri. */
const ARABIC_ZAH = /ظ/g;
const ARABIC_ZAY = 'ز';
/** Of a business: `S. A.`, `A/S`, `A K B`. */
const LETTERS_APART = /(?<![\p{L}\p{N}])\p{L}(?:[\s./]+\p{L}){1,7}(?![\p{L}\p{N}])/gu;
const NO_LETTERS = /\P{L}+/gu;

export function nameReadings(name: string, kind: EntryKind): readonly (readonly NameWord[])[] {
  const written = name.normalize('NFKC');
  const asZ = written.replace(ARABIC_ZAH, ARABIC_ZAY);
  const together = kind === 'entity' ? lettersTogether(written) : written;
  return [...new Set([written, asZ, together])].map((each) => nameWords(each, kind));
}

/** What is abbreviated is one word already: in `Zelmarine A S.A.` the first A is no part of the form. */
function lettersTogether(name: string): string {
  return name
    .replace(ABBREVIATION, (letters) => letters.replace(NO_LETTERS, ''))
    .replace(LETTERS_APART, (letters) => letters.replace(NO_LETTERS, ''));
}

/** Who has one name, or writes the whole of it into both fields of a form, has its words twice. */
export function subjectReadings(name: string, kind: EntryKind): readonly (readonly NameWord[])[] {
  return nameReadings(name, kind).flatMap((words) => {
    const once = words.filter(
      ({ text }, at) => text.length === 1 || words.findIndex((word) => word.text === text) === at,
    );
    // The shorter one beside it, not in its place: Liu Yang Yang is Liu Yangyang.
    return once.length < words.length ? [words, once] : [words];
  });
}
