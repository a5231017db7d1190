/**
 * The yardstick: pgbench's TPC-B-like test on the same server, in the same run. Without pgbench on the machine no ratio
 * is claimed.
 */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SCALE = 50;
const CLIENTS = 16;
const THREADS = 2;

export interface PgbenchResult {
  readonly tps: number;
  readonly version: string;
  readonly arguments: string;
}

export async function runPgbench(url: string, seconds: number): Promise<PgbenchResult | undefined> {
  const program = findPgbench();
  if (!program) return undefined;
  const { stdout: version } = await run(program, ['--version']);
  await run(program, ['-i', '-q', '-s', String(SCALE), url], { maxBuffer: 1 << 24 });
  const options = ['-c', String(CLIENTS), '-j', String(THREADS), '-M', 'prepared', '-T', String(seconds)];
  const { stdout } = await run(program, [...options, url], { maxBuffer: 1 << 24 });
  const tps = /tps = ([0-9.]+)/.exec(stdout)?.[1];
  if (!tps) throw new Error(`pgbench printed no rate: ${stdout}`);
  return { tps: Number(tps), version: version.trim(), arguments: `-s ${SCALE} ${options.join(' ')}` };
}

/** On the path, or where Debian keeps the programs of each version. */
function findPgbench(): string | undefined {
  const onPath = (process.env['PATH'] ?? '').split(':').map((directory) => join(directory, 'pgbench'));
  const versions = '/usr/lib/postgresql';
  const packaged = existsSync(versions)
    ? readdirSync(versions).map((version) => join(versions, version, 'bin', 'pgbench'))
    : [];
  return [...onPath, ...packaged.reverse()].find((file) => existsSync(file));
}
