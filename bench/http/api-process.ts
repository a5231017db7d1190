/**
 * The real program, built, as a process on a database of its own: one that answers calls and runs no workers
 * (`--role api`), one that only works, or one that does everything.
 * Settings are the defaults but for the pre-filled balances; the log is on, at its default level, and goes to a file.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { environmentWithoutSettings } from '../../prove/running-program.ts';

interface ApiOptions {
  /** Of its own for each process: it holds the token of the operator and the log. */
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** `api` unless told otherwise. */
  readonly role?: 'api' | 'worker' | 'all';
  readonly env?: Readonly<Record<string, string>>;
}

export interface ApiProcess {
  /** Of the API, or of the operators' listener where it only works. */
  readonly url: string;
  readonly dataDir: string;
  /** Resident memory in MB; undefined where the system does not tell. */
  memoryMb(): Promise<number | undefined>;
  /** Milliseconds that it has been given of the cores up to now; undefined where the system does not tell. */
  cpuMs(): Promise<number | undefined>;
  stop(): Promise<void>;
}

const PROGRAM = fileURLToPath(new URL('../../bin/payferry.js', import.meta.url));
/** What the program's first line gives Node.js. */
const RUN_WITH = readFileSync(PROGRAM, 'utf8').split('\n', 1).join('').match(/--\S+/g) ?? [];
const MAX_START_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** Enough of each currency for every payout of a run. */
const OPENING_BALANCE = '9000000';
/** The same for all processes, as it has to be on one database. */
const MASTER_KEY = '07'.repeat(32);

export async function startApi({ dataDir, databaseUrl, role = 'api', env = {} }: ApiOptions): Promise<ApiProcess> {
  const logFile = await open(join(dataDir, 'payferry.log'), 'w');
  const child = spawn(
    process.execPath,
    [...RUN_WITH, PROGRAM, 'serve', '--role', role, '--data', dataDir, '--port', '0', '--operator-port', '0'],
    {
      cwd: tmpdir(),
      env: {
        ...environmentWithoutSettings(),
        DATABASE_URL: databaseUrl,
        PAYFERRY_MASTER_KEY: MASTER_KEY,
        PAYFERRY_SANDBOX_OPENING_BALANCE: OPENING_BALANCE,
        ...env,
      },
      stdio: ['ignore', logFile.fd, logFile.fd],
    },
  );
  await logFile.close();
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const url = await addressIn(join(dataDir, 'payferry.log'), () => child.exitCode);
  return {
    url,
    dataDir,
    memoryMb: () => residentMb(child.pid),
    cpuMs: () => usedCpuMs(child.pid),
    stop: async () => {
      child.kill('SIGTERM');
      const code = await exited;
      if (code !== 0) throw new Error(`the program ended with ${code}`);
    },
  };
}

async function addressIn(logFile: string, exitCode: () => number | null): Promise<string> {
  for (let waitedMs = 0; waitedMs < MAX_START_MS; waitedMs += LOOK_EVERY_MS) {
    const printed = await readFile(logFile, 'utf8');
    const [, address] = /^ {2}(?:API|Operators) +(http\S+)\/(?:v1|operator)\b/m.exec(printed) ?? [];
    if (address !== undefined) return address;
    if (exitCode() !== null) throw new Error(`the program ended: ${printed}`);
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`the program was not ready in ${MAX_START_MS} ms`);
}

async function residentMb(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kb = /^VmRSS:\s+([0-9]+) kB$/m.exec(status)?.[1];
  return kb === undefined ? undefined : Number(kb) / 1_024;
}

/** What Linux counts in: a hundredth of a second. */
const TICK_MS = 10;
/** Counted behind the name, which may hold anything but ends with a bracket. */
const [USER_TIME, SYSTEM_TIME] = [11, 12];

async function usedCpuMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? undefined : (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
}
