/**
 * The results file. It keeps apart what each version of the program and of the simulation has run: a version is known
 * by the hash of all sources, and has its commit, its date, its ranges of seeds and what they came to.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SeedRange, SeedRanges } from './seed-ranges.ts';
import type { Summary } from './totals.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));
/** Everything that a seed runs through. */
const SOURCES = [
  'simulate',
  'server/src',
  'server/migrations',
  'server/corridors',
  'server/rates',
  'package-lock.json',
];
const NO_SOURCE = /\.test\.ts$|^simulate\/results\.json$/;

/** One version, and what it has run. */
interface VersionResults {
  /** Of all sources. */
  readonly program: string;
  readonly commit: string;
  /** Of the last time that it ran anything. */
  readonly date: string;
  readonly seeds?: Summary;
  readonly month?: Summary;
}

/** Of all versions together; a seed that two of them ran counts once among the seeds, and twice in what it came to. */
interface AllResults {
  readonly seeds: number;
  readonly seedsOfPresentVersion: number;
  readonly ranges: readonly SeedRange[];
  readonly violations: number;
  readonly transactions: number;
  readonly faults: number;
  readonly crashes: number;
  readonly processorSeconds: number;
}

export interface Results {
  readonly all: AllResults;
  /** The oldest first. */
  readonly versions: readonly VersionResults[];
}

type Part = Pick<VersionResults, 'seeds' | 'month'>;

export function programHash(): string {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap(filesIn))
    hash
      .update(file)
      .update('\n')
      .update(readFileSync(join(ROOT, file)));
  return hash.digest('hex').slice(0, 16);
}

function filesIn(path: string): string[] {
  if (path.endsWith('.json')) return existsSync(join(ROOT, path)) ? [path] : [];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((file) => !NO_SOURCE.test(file))
    .sort();
}

export function readVersions(file = RESULTS): readonly VersionResults[] {
  if (!existsSync(file)) return [];
  const kept: Results = JSON.parse(readFileSync(file, 'utf8'));
  return kept.versions;
}

/** What this version has run so far. */
export function resultsOf(program: string, file = RESULTS): Part {
  return readVersions(file).find((version) => version.program === program) ?? {};
}

/** Seeds that any version has run. */
export function seedsRun(file = RESULTS): SeedRanges {
  return new SeedRanges(readVersions(file).flatMap(({ seeds }) => seeds?.ranges ?? []));
}

/**
 * Takes the place of what this version had there; other versions keep theirs. Whole or not at all: who is stopped while
 * writing leaves the file of before.
 */
export function writeResults(program: string, part: Part, file = RESULTS): Results {
  const others = readVersions(file).filter((version) => version.program !== program);
  const date = (part.seeds ?? part.month)?.date ?? '';
  const present = { ...resultsOf(program, file), program, commit: commitNow(), date, ...part };
  const versions = [...others, present];
  const results: Results = { all: addUp(versions, present), versions };
  const beside = `${file}.new`;
  writeFileSync(beside, `${JSON.stringify(results, undefined, 2)}\n`);
  renameSync(beside, file);
  return results;
}

function addUp(versions: readonly VersionResults[], present: VersionResults): AllResults {
  const run = versions.flatMap(({ seeds }) => (seeds ? [seeds] : []));
  const done = new SeedRanges(run.flatMap(({ ranges }) => ranges));
  const sum = (count: (each: Summary) => number) => run.reduce((total, each) => total + count(each), 0);
  return {
    seeds: done.count,
    seedsOfPresentVersion: present.seeds?.seeds ?? 0,
    ranges: done.all(),
    violations: sum(({ violations }) => violations.length),
    transactions: sum(({ transactions }) => transactions),
    faults: sum(({ faults }) => faults),
    crashes: sum(({ crashes }) => crashes),
    processorSeconds: Math.round(sum(({ processorSeconds }) => processorSeconds) * 10) / 10,
  };
}

function commitNow(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}
