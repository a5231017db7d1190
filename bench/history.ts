/** The history of the benchmark: bench/results/history.json, one line for each complete run, oldest first. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type BenchRun, type Figures, figuresOf, ratiosOf } from './figures.ts';

export interface HistoryLine {
  readonly at: string;
  readonly form: string;
  /** What was checked out, with a plus sign where it was changed. */
  readonly commit: string;
  readonly node: string;
  readonly postgresql: string;
  readonly pgbench: string;
  readonly cores: number;
  /** Its name; the oldest lines do not have it. */
  readonly processor?: string;
  /** Figures and ratios are as they were measured; older lines do not have this, and four digits of each. */
  readonly isExact?: true;
  readonly figures: Figures;
  readonly ratios: Figures;
}

const HISTORY = fileURLToPath(new URL('./results/history.json', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

export function lineOf(run: BenchRun, at: Date): HistoryLine {
  return {
    at: at.toISOString(),
    form: run.form,
    commit: commitOf(),
    node: process.version,
    postgresql: run.postgresql,
    pgbench: run.pgbench?.version ?? 'none: no ratio is claimed',
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    isExact: true,
    figures: figuresOf(run),
    ratios: ratiosOf(run),
  };
}

export function readHistory(file = HISTORY): readonly HistoryLine[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
}

export function appendHistory(line: HistoryLine, file = HISTORY): readonly HistoryLine[] {
  const history = [...readHistory(file), line];
  writeFileSync(file, `[\n${history.map((each) => JSON.stringify(each)).join(',\n')}\n]\n`);
  return history;
}

function commitOf(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? '';
  const commit = git('rev-parse', '--short', 'HEAD');
  return commit === '' ? 'unknown' : `${commit}${git('status', '--porcelain') === '' ? '' : '+'}`;
}
