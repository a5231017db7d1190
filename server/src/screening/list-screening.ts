/** The built-in screening: compares a subject with every name of the lists, through the index. */
import { compareNames, type Link, type NameMatch } from './compare-names.ts';
import { type Evidence, evidenceOf, factsOf, type SubjectFacts } from './evidence.ts';
import type { ListEntry } from './list-entry.ts';
import type { IndexedName, NameIndex } from './name-index.ts';
import { subjectReadings } from './name-readings.ts';
import type { NameWord } from './name-words.ts';
import { type Hit, type ScreenedSubject, type SenderScreening, strengthOf } from './sender-screening.ts';
import { type ComparedWord, similarity } from './similarity.ts';

/** To be raised with each change of the rules, so that decisions show by which they were made. */
export const RULES_REVISION = 3;
/** Of one subject; people look at the best ones. */
const MAX_HITS = 50;
/** A sender has one or two; more are compared up to here. */
const MAX_SUBJECT_NAMES = 20;
/** An alias that the list itself calls weak. Open point OP-188. */
const WEAK_ALIAS = 0.05;
const SCORE_DIGITS = 3;

interface ListScreeningParts {
  readonly index: NameIndex;
  readonly version: string;
  /** The least score of a hit. */
  readonly threshold: number;
}

export function listScreening({ index, version, threshold }: ListScreeningParts): SenderScreening {
  return {
    version: () => version,
    screen: (subject) => screenSubject(index, threshold, subject),
  };
}

function screenSubject(index: NameIndex, threshold: number, subject: ScreenedSubject): readonly Hit[] {
  const facts = factsOf(subject);
  const best = new Map<string, Hit>();
  const names = [...new Set(subject.names.slice(0, MAX_SUBJECT_NAMES))];
  for (const words of names.flatMap((name) => subjectReadings(name, facts.kind))) {
    for (const hit of screenName(index, threshold, words, facts)) {
      const key = `${hit.list} ${hit.entryId}`;
      const known = best.get(key);
      if (known === undefined || strengthOf(known) < strengthOf(hit)) best.set(key, hit);
    }
  }
  return [...best.values()].sort(bestFirst).slice(0, MAX_HITS);
}

function* screenName(
  index: NameIndex,
  threshold: number,
  words: readonly NameWord[],
  facts: SubjectFacts,
): Generator<Hit> {
  if (words.length === 0) return;
  const own = { words, weights: words.map((word) => index.table.weightOfWord(word)) };
  const alike = rememberSimilarity();
  const favour = (entry: ListEntry) => sumOf(evidenceOf(facts, entry));
  for (const at of index.candidates(words, favour)) {
    const name = index.name(at);
    const match = compareNames(own, name, alike);
    const evidence = evidenceOf(facts, name.entry);
    const isWeak = name.listed.quality === 'weak';
    const strength = roundScore(match.score + sumOf(evidence) - (isWeak ? WEAK_ALIAS : 0));
    if (strength < threshold) continue;
    const sentences = [
      ...explainMatch(match),
      ...(isWeak ? ['the list calls this alias weak'] : []),
      ...evidence.map(({ sentence }) => sentence),
    ];
    yield hitOf(name, strength, sentences);
  }
}

function sumOf(evidence: readonly Evidence[]): number {
  return evidence.reduce((sum, { step }) => sum + step, 0);
}

/** Candidates share most of their words: each pair is compared once. Words are the same object in all of them. */
function rememberSimilarity(): typeof similarity {
  const known = new Map<ComparedWord, Map<ComparedWord, number>>();
  return (left, right) => {
    const row = known.get(left) ?? new Map<ComparedWord, number>();
    known.set(left, row);
    const degree = row.get(right) ?? similarity(left, right);
    row.set(right, degree);
    return degree;
  };
}

function hitOf({ entry, listed }: IndexedName, strength: number, explanation: readonly string[]): Hit {
  const { list, id: entryId, names } = entry;
  const score = strength > 1 ? { score: 1, strength } : { score: strength };
  return { list, entryId, name: names[0]?.text ?? listed.text, matchedName: listed.text, ...score, explanation };
}

function explainMatch({ links, unmatched }: NameMatch): readonly string[] {
  const bySubject = [...links].sort((left, right) => left.own.from - right.own.from);
  return [
    ...bySubject.map(explainLink),
    ...unmatched.own.map((text) => `${text} is not in the listed name`),
    ...unmatched.listed.map((text) => `${text} is only in the listed name`),
  ];
}

function explainLink({ own, listed, how, similarity }: Link): string {
  switch (how) {
    case 'same':
      return own.text === listed.text ? `${own.text} is the same` : `${own.text} is another spelling of ${listed.text}`;
    case 'initial':
      return `${own.text} may stand for ${listed.text}`;
    case 'joined':
      return `${own.text} is ${listed.text} written together or apart (${similarity.toFixed(2)})`;
    case 'spelling':
      return `${own.text} is like ${listed.text} (${similarity.toFixed(2)})`;
  }
}

/** Rounded so that the score in a stored decision is the one that was compared with the threshold. */
function roundScore(score: number): number {
  return Number(Math.max(0, score).toFixed(SCORE_DIGITS));
}

function bestFirst(left: Hit, right: Hit): number {
  const order = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
  return strengthOf(right) - strengthOf(left) || order(left.list, right.list) || order(left.entryId, right.entryId);
}
