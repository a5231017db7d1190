/** The ways to read a name that was written in one. All of them are compared, and the best one counts. */
import type { EntryKind } from './list-entry.ts';
import { type NameWord, nameWords } from './name-words.ts';

/** Read as dh in Kadhim and Dhahir, and as z in Kazim and Zawahiri. */
const ARABIC_ZAH = /ظ/g;
const ARABIC_ZAY = 'ز';

export function nameReadings(name: string, kind: EntryKind): readonly (readonly NameWord[])[] {
  const written = name.normalize('NFKC');
  const asZ = written.replace(ARABIC_ZAH, ARABIC_ZAY);
  return [...new Set([written, asZ])].map((each) => nameWords(each, kind));
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
