/**
 * The results file. It belongs to one version of the program and of the simulation: the hash of all sources is kept in
 * it, and what another version found is neither added to nor gone on with.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

export interface Results {
  /** Of all sources. */
  readonly program: string;
  readonly commit: string;
  readonly seeds?: Summary;
  readonly month?: Summary;
}

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

/** Undefined: there are none of this version. */
export function readResults(program: string, file = RESULTS): Results | undefined {
  const kept = anyResults(file);
  return kept?.program === program ? kept : undefined;
}

/** There are some, and another version made them. */
export function areOfAnother(program: string, file = RESULTS): boolean {
  const kept = anyResults(file);
  return kept !== undefined && kept.program !== program;
}

function anyResults(file: string): Results | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Whole or not at all: who is stopped while writing leaves the file of before. */
export function writeResults(program: string, part: Pick<Results, 'seeds' | 'month'>, file = RESULTS): void {
  const results: Results = { ...readResults(program, file), program, commit: commitNow(), ...part };
  const beside = `${file}.new`;
  writeFileSync(beside, `${JSON.stringify(results, undefined, 2)}\n`);
  renameSync(beside, file);
}

function commitNow(): string {
  const { stdout, status } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : 'unknown';
}
