/**
 * All names of all lists, found by their words. It is built in steps, so that the process can do other things in
 * between, and never changed afterwards: a new version of a list is a new index.
 */
import { assert, present } from '../kernel/assert.ts';
import { KeyTable, MAX_NUMBERS } from './key-table.ts';
import type { ListEntry, ListedName } from './list-entry.ts';
import { nameReadings } from './name-readings.ts';
import { joinWords, type NameWord } from './name-words.ts';
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
const MAX_CANDIDATES = 100;
/** Of so many it is asked what else speaks for them. */
const MAX_FAVOURED = 600;
const SHARE_STEPS = 256;
/** Names between two places where others may run while the index is built: about a millisecond. */
export const STEP_NAMES = 1_000;

/** What is shorter is no name that was written as one. */
const isLongEnough = (chars: number): boolean => chars >= 4;

interface Promising {
  readonly name: number;
  /** Of both names together, what was found in the other one. */
  readonly share: number;
}

/** About MAX_FAVOURED of the best, without sorting the thousands that a common name brings. */
function bestShares(promising: readonly Promising[]): readonly Promising[] {
  if (promising.length <= MAX_FAVOURED) return promising;
  const counts = new Int32Array(SHARE_STEPS + 1);
  const stepOf = (share: number): number => Math.floor(share * SHARE_STEPS);
  for (const { share } of promising) counts[stepOf(share)] = (counts[stepOf(share)] ?? 0) + 1;
  let [least, kept] = [SHARE_STEPS, counts[SHARE_STEPS] ?? 0];
  while (least > 0 && kept < MAX_FAVOURED) {
    least -= 1;
    kept += counts[least] ?? 0;
  }
  return promising.filter(({ share }) => stepOf(share) >= least);
}

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
  /** Of the name that is being looked for: what was found in each listed one, by the last of its words, and which. */
  private found = new Float32Array(0);
  private gained = new Float32Array(0);
  private lastTurn = new Uint8Array(0);

  get names(): number {
    return this.owners.length;
  }

  add(entry: ListEntry): void {
    const inEntry = new Set<number>();
    for (const listed of entry.names) {
      for (const words of nameReadings(listed.text, entry.kind)) this.addName(entry, listed, words, inEntry);
    }
    for (const id of inEntry) this.table.countEntry(id);
  }

  private addName(entry: ListEntry, listed: ListedName, words: readonly NameWord[], inEntry: Set<number>): void {
    if (words.length === 0) return;
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

  /** To be run to its end before anything is looked for. */
  *finish(): Generator<void> {
    yield* this.table.finish();
    yield* this.joined.sort();
    yield* this.post();
    yield* this.weigh();
    this.found = new Float32Array(this.names);
    this.gained = new Float32Array(this.names);
    this.lastTurn = new Uint8Array(this.names);
  }

  name(at: number): IndexedName {
    const ids = this.wordsOf(at);
    return {
      entry: this.entryOf(at),
      listed: present(this.listed[at], 'a name'),
      words: ids.map((id) => this.table.word(id)),
      weights: ids.map((id) => this.table.weight(id)),
    };
  }

  /**
   * Names that share enough with these words to be compared with them, the most promising first. `favour` is what else
   * speaks for an entry: among hundreds of namesakes, the one with the same birth date must not be cut off.
   */
  candidates(words: readonly NameWord[], favour: (entry: ListEntry) => number): readonly number[] {
    const weights = words.map((word) => this.table.weightOfWord(word));
    const ownWeight = weights.reduce((sum, weight) => sum + weight, 0);
    const touched = this.gather(words, weights);
    const promising: Promising[] = [];
    for (const name of touched) {
      const found = this.found[name] ?? 0;
      const weight = this.nameWeights[name] ?? 0;
      this.found[name] = 0;
      this.lastTurn[name] = 0;
      if (found >= 2 * LEAST_SHARE * Math.min(weight, ownWeight))
        promising.push({ name, share: Math.min(1, found / (weight + ownWeight)) });
    }
    return bestShares(promising)
      .map(({ name, share }) => ({ name, rank: share + favour(this.entryOf(name)) }))
      .sort((left, right) => right.rank - left.rank)
      .slice(0, MAX_CANDIDATES)
      .map(({ name }) => name);
  }

  /** Sums up what of both names was found in each other, and gives the names for which there is anything. */
  private gather(words: readonly NameWord[], weights: readonly number[]): readonly number[] {
    const touched: number[] = [];
    let turn = 0;
    // A word is found once in a name, in the listed word that is most like it.
    const note = (name: number, gain: number): void => {
      if (this.lastTurn[name] === 0) touched.push(name);
      const before = this.lastTurn[name] === turn ? (this.gained[name] ?? 0) : 0;
      this.lastTurn[name] = turn;
      if (gain <= before) return;
      this.gained[name] = gain;
      this.found[name] = (this.found[name] ?? 0) + gain - before;
    };
    for (const [at, word] of words.entries()) {
      turn += 1;
      const own = weights[at] ?? 0;
      this.noteAlike(word, own, note);
      if (isLongEnough(word.text.length)) this.joined.forEach(word.skeleton, (name) => note(name, 2 * own));
    }
    for (const pair of joinWords(words, isLongEnough)) {
      turn += 1;
      const own = weights.slice(pair.from, pair.from + pair.count).reduce((sum, weight) => sum + weight, 0);
      this.noteAlike(pair, own, note);
    }
    return touched;
  }

  private noteAlike(word: NameWord, own: number, note: (name: number, gain: number) => void): void {
    const { starts, names } = present(this.postings, 'a finished index');
    for (const { id, similarity } of this.table.alike(word)) {
      const gain = (own + this.table.weight(id)) * similarity;
      const end = starts[id + 1] ?? 0;
      for (let at = starts[id] ?? 0; at < end; at += 1) note(names[at] ?? 0, gain);
    }
  }

  private entryOf(name: number): ListEntry {
    return present(this.owners[name], 'the entry of a name');
  }

  private wordsOf(name: number): readonly number[] {
    return this.wordIds.slice(this.starts[name], this.starts[name + 1]);
  }

  /** Word to names, from name to words. */
  private *post(): Generator<void> {
    const starts = new Int32Array(this.table.words.length + 1);
    for (const [at, id] of this.wordIds.entries()) {
      starts[id + 1] = (starts[id + 1] ?? 0) + 1;
      if (at % STEP_NAMES === 0) yield;
    }
    for (let id = 1; id < starts.length; id += 1) starts[id] = (starts[id] ?? 0) + (starts[id - 1] ?? 0);
    yield;
    const names = new Int32Array(this.wordIds.length);
    const next = starts.slice();
    for (let name = 0; name < this.names; name += 1) {
      for (const id of this.wordsOf(name)) {
        names[next[id] ?? 0] = name;
        next[id] = (next[id] ?? 0) + 1;
      }
      if (name % STEP_NAMES === 0) yield;
    }
    this.postings = { starts, names };
  }

  private *weigh(): Generator<void> {
    this.nameWeights = new Float32Array(this.names);
    for (let name = 0; name < this.names; name += 1) {
      for (const id of this.wordsOf(name))
        this.nameWeights[name] = (this.nameWeights[name] ?? 0) + this.table.weight(id);
      if (name % STEP_NAMES === 0) yield;
    }
  }
}
