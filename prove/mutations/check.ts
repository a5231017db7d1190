/**
 * Plants the faults one by one in a copy of the source and runs the tests that must notice them. The same tests are run
 * without any fault first: a test that fails anyway catches nothing.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../server/src/storage/embedded/supervisor.ts';
import type { Mutant } from './mutant.ts';
import { planted } from './plant.ts';

/** What tests read beside the source. */
const COPIED = ['server', 'test', 'docs', 'bench', 'prove', 'simulate', 'client', 'scripts', 'bin'];
const COPIED_FILES = [
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
  'tsconfig.receiver.json',
  'README.md',
  'CONTRIBUTING.md',
];
/** Many times what the slowest selection takes. A fault that makes a test run on for ever is noticed by this. */
const MAX_RUN_MS = 900_000;
/** A busy machine is no fault that was planted: tests get more time than they ever need. */
const PATIENCE = ['--testTimeout=300000', '--hookTimeout=300000'];

export interface Verdict {
  /** The test that failed, as `file: name`; undefined: the fault was not noticed. */
  readonly caughtBy: string | undefined;
  readonly seconds: number;
}

interface CheckOptions {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly onVerdict: (mutant: Mutant, verdict: Verdict) => void;
}

export async function checkMutants({ root, mutants, onVerdict }: CheckOptions): Promise<void> {
  for (const mutant of mutants) planted(root, mutant);
  const copy = mkdtempSync(join(tmpdir(), 'payferry-mutants-'));
  // One server for all runs: starting one takes longer than most of the tests.
  const dataDir = mkdtempSync(join(tmpdir(), 'payferry-mutants-data-'));
  const server = await startEmbeddedPostgres({ dataDir });
  try {
    copySource(root, copy);
    const env = { ...process.env, DATABASE_URL: server.url };
    const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
    const sound = await runTests(copy, tests, env);
    if (sound.caughtBy !== undefined) throw new Error(`without any fault a test fails: ${sound.caughtBy}`);
    for (const mutant of mutants) {
      const path = join(copy, mutant.file);
      const before = readFileSync(path, 'utf8');
      writeFileSync(path, planted(copy, mutant));
      onVerdict(mutant, await runTests(copy, mutant.tests, env));
      writeFileSync(path, before);
    }
  } finally {
    await server.stop();
    for (const directory of [copy, dataDir]) rmSync(directory, { recursive: true, force: true });
  }
}

function copySource(root: string, copy: string): void {
  for (const name of [...COPIED, ...COPIED_FILES]) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

async function runTests(copy: string, tests: readonly string[], env: NodeJS.ProcessEnv): Promise<Verdict> {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const startedAtMs = performance.now();
  const status = await runVitest(
    copy,
    [...tests, ...PATIENCE, '--bail=1', '--reporter=json', `--outputFile=${report}`],
    env,
  );
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  if (status === 'endless') return { caughtBy: `${tests.join(', ')}: did not come to an end`, seconds };
  const { failed, passed } = readReport(report, copy);
  if (failed !== undefined) return { caughtBy: failed, seconds };
  // A source that cannot even be loaded fails every test and shows nothing.
  if (status !== 0 || passed === 0) throw new Error(`no test was run or failed, and the run ended with ${status}`);
  return { caughtBy: undefined, seconds };
}

function runVitest(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | 'endless'> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
      cwd,
      env,
      stdio: 'ignore',
    });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve('endless');
    }, MAX_RUN_MS);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      resolve(code ?? -1);
    });
  });
}

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function readReport(path: string, copy: string): { failed: string | undefined; passed: number } {
  const report: Report = JSON.parse(readFileSync(path, 'utf8'));
  const [failed] = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `${name.slice(name.indexOf(copy) + copy.length + 1)}: ${fullName.trim()}`),
  );
  return { failed, passed: report.numPassedTests };
}
