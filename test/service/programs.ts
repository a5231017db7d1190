/**
 * Real programs for one test file: the built program, started in temporary directories. Whatever still runs when the
 * file ends is ended then, and the directories are removed.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, inject, vi } from 'vitest';
import { type ProgramOptions, type RunningProgram, serverPid, startProgram } from '../../prove/running-program.ts';
import { isAlive } from '../../server/src/storage/embedded/processes.ts';
import { until } from '../support/until.ts';

const BUILD = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));
const BUILD_LOCK = 2;
/** Far above what a test takes: processes start slowly on a busy machine. */
const TEST_LIMIT_MS = 120_000;

export interface Programs {
  newDirectory(): Promise<string>;
  start(dataDir: string, options?: ProgramOptions): Promise<RunningProgram>;
}

/** Call it at the top of a test file, and start programs in hooks and tests: then they are ended in any case. */
export function openPrograms(): Programs {
  vi.setConfig({ testTimeout: TEST_LIMIT_MS, hookTimeout: TEST_LIMIT_MS });
  beforeAll(build);
  const directories: string[] = [];
  const started: Promise<RunningProgram>[] = [];
  afterAll(async () => {
    for (const start of await Promise.allSettled(started)) {
      if (start.status === 'fulfilled') await start.value.kill();
    }
    for (const directory of directories) {
      await endServer(directory);
      await rm(directory, { recursive: true, force: true });
    }
  });
  return {
    async newDirectory() {
      const directory = await mkdtemp(join(tmpdir(), 'payferry-service-'));
      directories.push(directory);
      return directory;
    },
    start(dataDir, options) {
      const program = startProgram(dataDir, options);
      started.push(program);
      return program;
    },
  };
}

/** The test processes take turns: the first compiles, where that is needed, and the others find it done. */
async function build(): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  await client.query('select pg_advisory_lock($1)', [BUILD_LOCK]);
  try {
    await promisify(execFile)(process.execPath, [BUILD]);
  } finally {
    await client.end();
  }
}

/** A program that was killed leaves its server running. */
async function endServer(dataDir: string): Promise<void> {
  const pid = await serverPid(dataDir).catch(() => undefined);
  if (pid === undefined || !(await isAlive(pid))) return;
  process.kill(pid, 'SIGQUIT');
  await until('the left server has ended', async () => !(await isAlive(pid)));
}
