/**
 * All names of all lists, found by their words. It is built in steps, so that the process can do other things in
 * between, and never changed afterwards: a new version of a list is a new index.
 */
import { assert, present } from '../kernel/assert.ts';
import { KeyTable, MAX_NUMBERS } from './key-table.ts';
import type { ListEntry, ListedName } from './list-entry.ts';
import { joinWords, type NameWord, nameWords } from './name-words.ts';
import { WordTable } from './word-table.ts';

export interface IndexedName {
  readonly entry: ListEntry;
  readonly listed: ListedName;
  readonly words: readonly NameWord[];
  readonly weights: readonly number[];
}

/** A name is looked at closely when this share of the shorter of the two was found in it. */
const LEAST_SHARE = 0.35;
/** The most promising ones; a name that is on the lists comes among the first. */
export const MAX_CANDIDATES = 120;

/** What is shorter is no name that was written as one. */
const isLongEnough = (chars: number): boolean => chars >= 4;

export class NameIndex {
  readonly table = new WordTable();
  private readonly owners: ListEntry[] = [];
  private readonly listed: ListedName[] = [];
  private readonly joined = new KeyTable();
  /** The words of name n are those from starts[n] to starts[n + 1]. */
  private readonly starts: number[] = [0];
  private readonly wordIds: number[] = [];
  private postings: { readonly starts: Int32Array; readonly names: Int32Array } | undefined;
  private nameWeights = new Float32Array(0);
  private found = new Float32Array(0);

  get names(): number {
    return this.owners.length;
  }

  add(entry: ListEntry): void {
    const inEntry = new Set<number>();
    for (const listed of entry.names) {
      const words = nameWords(listed.text, entry.kind);
      if (words.length === 0) continue;
      const name = this.owners.length;
      assert(name < MAX_NUMBERS, 'names that can be counted');
      this.owners.push(entry);
      this.listed.push(listed);
      for (const word of words) {
        const id = this.table.add(word);
        inEntry.add(id);
        this.wordIds.push(id);
      }
      this.starts.push(this.wordIds.length);
      for (const { skeleton } of joinWords(words, isLongEnough)) this.joined.add(skeleton, name);
    }
    for (const id of inEntry) this.table.countEntry(id);
  }

  /** To be run to its end before anything is looked for. */
  *finish(): Generator<void> {
    yield* this.table.finish();
    yield* this.joined.sort();
    this.postings = this.post();
    yield;
    this.nameWeights = new Float32Array(this.names);
    for (let name = 0; name < this.names; name += 1) {
      for (const id of this.wordsOf(name))
        this.nameWeights[name] = (this.nameWeights[name] ?? 0) + this.table.weight(id);
    }
    this.found = new Float32Array(this.names);
  }

  name(at: number): IndexedName {
    const ids = this.wordsOf(at);
    return {
      entry: present(this.owners[at], 'the entry of a name'),
      listed: present(this.listed[at], 'a name'),
      words: ids.map((id) => this.table.word(id)),
      weights: ids.map((id) => this.table.weight(id)),
    };
  }

  /** Names that share enough with these words to be compared with them, the most promising first. */
  candidates(words: readonly NameWord[]): readonly number[] {
    const touched: number[] = [];
    const note = (name: number, weight: number): void => {
      if (this.found[name] === 0) touched.push(name);
      this.found[name] = (this.found[name] ?? 0) + weight;
    };
    for (const word of words) {
      for (const { id, similarity } of this.table.alike(word)) this.notePostings(id, similarity, note);
      if (isLongEnough(word.text.length)) this.joined.forEach(word.skeleton, (name) => note(name, 2 * LEAST_SHARE));
    }
    for (const pair of joinWords(words, isLongEnough)) {
      // Both halves of it are in that one word.
      for (const { id, similarity } of this.table.alike(pair)) this.notePostings(id, 2 * similarity, note);
    }
    const ownWeight = words.reduce((sum, word) => sum + this.table.weightOfWord(word), 0);
    const promising: { readonly name: number; readonly common: number }[] = [];
    for (const name of touched) {
      const found = this.found[name] ?? 0;
      const weight = this.nameWeights[name] ?? 0;
      this.found[name] = 0;
      if (found >= LEAST_SHARE * Math.min(weight, ownWeight))
        promising.push({ name, common: found / (weight + ownWeight) });
    }
    promising.sort((left, right) => right.common - left.common);
    return promising.slice(0, MAX_CANDIDATES).map(({ name }) => name);
  }

  private notePostings(id: number, share: number, note: (name: number, weight: number) => void): void {
    const { starts, names } = present(this.postings, 'a finished index');
    const weight = this.table.weight(id) * share;
    const end = starts[id + 1] ?? 0;
    for (let at = starts[id] ?? 0; at < end; at += 1) note(names[at] ?? 0, weight);
  }

  private wordsOf(name: number): readonly number[] {
    return this.wordIds.slice(this.starts[name], this.starts[name + 1]);
  }

  /** Word to names, from name to words. */
  private post() {
    const starts = new Int32Array(this.table.words.length + 1);
    for (const id of this.wordIds) starts[id + 1] = (starts[id + 1] ?? 0) + 1;
    for (let id = 1; id < starts.length; id += 1) starts[id] = (starts[id] ?? 0) + (starts[id - 1] ?? 0);
    const names = new Int32Array(this.wordIds.length);
    const next = starts.slice();
    for (let name = 0; name < this.names; name += 1) {
      for (const id of this.wordsOf(name)) {
        names[next[id] ?? 0] = name;
        next[id] = (next[id] ?? 0) + 1;
      }
    }
    return { starts, names };
  }
}
