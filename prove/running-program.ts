/** The real program as a child process, started from the build as a user starts it, and killed as nobody should. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SignedCaller, signedCaller } from '../test/support/signed-caller.ts';

const PROGRAM = fileURLToPath(new URL('../bin/payferry.js', import.meta.url));
const MAX_START_MS = 50_000;
const MAX_RUN_MS = 60_000;

export type Environment = Readonly<Record<string, string>>;

export interface ProgramOptions {
  readonly flags?: readonly string[];
  readonly env?: Environment;
}

export interface Access {
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

/** A process of the program, in whatever role. */
export interface RunningProcess {
  /** What it has printed up to now. */
  output(): string;
  kill(): Promise<void>;
  /** Asks it to stop, and gives its exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<number | null>;
}

/** One that answers calls. */
export interface RunningProgram extends RunningProcess {
  readonly caller: SignedCaller;
  readonly access: Access;
  readonly dataDir: string;
}

export async function startProgram(dataDir: string, options: ProgramOptions = {}): Promise<RunningProgram> {
  const running = await startProcess(dataDir, options);
  const access: Access = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const caller = signedCaller({ baseUrl: access.url, ...access });
  return {
    caller,
    access,
    dataDir,
    output: running.output,
    kill: () => {
      const killed = running.kill();
      caller.close();
      return killed;
    },
    stop: (signal) => {
      const stopped = running.stop(signal);
      caller.close();
      return stopped;
    },
  };
}

/** Resolves when it says that it is ready. */
export async function startProcess(dataDir: string, options: ProgramOptions = {}): Promise<RunningProcess> {
  const flags = ['--data', dataDir, '--port', '0', '--operator-port', '0', '--log-level', 'error'];
  const child = spawnProgram(['serve', ...flags, ...(options.flags ?? [])], options.env);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output = outputOf(child);
  await untilPrinted(child, 'Payferry is ready', output).catch((fault: unknown) => {
    child.kill('SIGKILL');
    throw fault;
  });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    output,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: (signal = 'SIGTERM') => end(signal),
  };
}

interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of the program to its end. */
export async function runProgram(args: readonly string[], env: Environment = {}): Promise<ProgramRun> {
  const child = spawnProgram(args, env, MAX_RUN_MS);
  const [stdout, stderr] = [outputOf(child, 'stdout'), outputOf(child, 'stderr')];
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout: stdout(), stderr: stderr() };
}

/** The process id of the embedded server: the first line of its own file. */
export async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n', 1)[0]);
}

/** Neither settings of the shell that runs this reach it, nor a settings file in the current directory. */
function spawnProgram(args: readonly string[], env: Environment = {}, timeout = 0): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: tmpdir(),
    env: { ...environmentWithoutSettings(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout,
  });
}

/** PAYFERRY_POSTGRES_BIN stays: it is about this machine. */
export function environmentWithoutSettings(): NodeJS.ProcessEnv {
  const isSetting = (name: string) =>
    name === 'DATABASE_URL' || (name.startsWith('PAYFERRY_') && name !== 'PAYFERRY_POSTGRES_BIN');
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name)));
}

function outputOf(child: ChildProcess, ...only: ('stdout' | 'stderr')[]): () => string {
  let text = '';
  for (const name of only.length > 0 ? only : (['stdout', 'stderr'] as const)) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

function untilPrinted(child: ChildProcess, wanted: string, output: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      reject(new Error(`${reason}: ${output()}`));
    };
    const timer = setTimeout(() => fail(`not ready in ${MAX_START_MS} ms`), MAX_START_MS);
    child.once('close', (code) => fail(`ended with ${code} before it was ready`));
    child.stdout?.on('data', () => {
      if (!output().includes(wanted)) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
