/**
 * Every different word of the lists, once, and the way from a word to those like it. A word is found by its consonants
 * and by its letters, in both cases also with one of them missing: on either side, so that a wrong one is found too.
 */
import { present } from '../kernel/assert.ts';
import { skeletonOf } from './fold-spelling.ts';
import { KeyTable } from './key-table.ts';
import { canBeAlike, type NameWord, type WordRole } from './name-words.ts';
import { LEAST_SAME, similarity } from './similarity.ts';

/** With fewer consonants than this, leaving one out would find half of the table. */
const LEAST_CONSONANTS_TO_DROP = 4;
const LEAST_CONSONANTS = 2;
/** Ali has one consonant, and few words are that short. */
const MAX_SHORT_CHARS = 3;
const LEAST_LETTERS_TO_DROP = 4;

/** What a word counts by its role; names count less the more entries share them. Open point OP-188. */
const ROLE_WEIGHTS: Readonly<Record<WordRole, number>> = {
  name: 1,
  common: 0.4,
  particle: 0.03,
  initial: 0.35,
  title: 0.03,
};
const LOSS_PER_TENFOLD = 0.15;
const LEAST_NAME_WEIGHT = 0.4;

interface AlikeWord {
  readonly id: number;
  readonly similarity: number;
}

export class WordTable {
  readonly words: NameWord[] = [];
  private readonly ids = new Map<string, number>();
  private readonly entries: number[] = [];
  private readonly keys = new KeyTable();

  /** The word's number; a word that is new gets the next one. */
  add(word: NameWord): number {
    const name = nameOf(word);
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    const id = this.words.length;
    this.ids.set(name, id);
    this.words.push(word);
    this.entries.push(0);
    for (const key of keysOf(word)) this.keys.add(key, id);
    return id;
  }

  /** One more entry has this word among its names. */
  countEntry(id: number): void {
    this.entries[id] = (this.entries[id] ?? 0) + 1;
  }

  finish(): Generator<void> {
    return this.keys.sort();
  }

  word(id: number): NameWord {
    return present(this.words[id], 'a word of the table');
  }

  weight(id: number): number {
    return weightOf(this.word(id).role, this.entries[id] ?? 0);
  }

  /** Of a word that may not be in the table: it counts as much as one that nobody shares. */
  weightOfWord(word: NameWord): number {
    const id = this.ids.get(nameOf(word));
    return id === undefined ? weightOf(word.role, 0) : this.weight(id);
  }

  alike(word: NameWord): readonly AlikeWord[] {
    const found = new Set<number>();
    for (const key of keysOf(word)) this.keys.forEach(key, (id) => found.add(id));
    const alike: AlikeWord[] = [];
    for (const id of found) {
      const other = this.word(id);
      const degree = canBeAlike(word, other) ? similarity(word, other, true) : 0;
      if (degree >= LEAST_SAME) alike.push({ id, similarity: degree });
    }
    return alike;
  }
}

function weightOf(role: WordRole, entries: number): number {
  const weight = ROLE_WEIGHTS[role];
  if (role !== 'name' || entries <= 1) return weight;
  return Math.max(LEAST_NAME_WEIGHT, weight - LOSS_PER_TENFOLD * Math.log10(entries));
}

/** The same letters are another word where they play another part. */
function nameOf({ role, text, isWithoutVowels }: NameWord): string {
  return `${role} ${text}${isWithoutVowels ? ' -' : ''}`;
}

function* keysOf({ role, text, folded, skeleton }: NameWord): Generator<string> {
  // They say too little to be looked for by.
  if (role === 'particle' || role === 'initial') return;
  yield `t${text}`;
  if (role === 'title') return;
  if (skeleton.length >= LEAST_CONSONANTS || folded.length <= MAX_SHORT_CHARS) yield `s${skeleton}`;
  // Ch is the sound of k in one way of writing and that of sh in another.
  if (folded.includes('C')) yield `s${skeletonOf(folded.replaceAll('C', 'X'))}`;
  if (skeleton.length >= LEAST_CONSONANTS_TO_DROP) {
    for (const shorter of dropOne(skeleton)) yield `s${shorter}`;
  }
  yield `f${folded}`;
  if (text.length >= LEAST_LETTERS_TO_DROP) {
    for (const shorter of dropOne(text)) yield `t${shorter}`;
  }
}

function dropOne(text: string): ReadonlySet<string> {
  const shorter = new Set<string>();
  for (let at = 0; at < text.length; at += 1) shorter.add(text.slice(0, at) + text.slice(at + 1));
  return shorter;
}
