/**
 * Runs one of PostgreSQL's programs to its end, as the server's user, with bounded time and bounded output. In a
 * session of its own, as the server: a Ctrl-C in our terminal is for us, and initdb would break off in the middle.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { messageOf } from './faults.ts';
import type { ServerUser } from './unprivileged.ts';

/**
 * A child has its own session only once it exists. What the terminal signals while it is being made, which takes
 * milliseconds in a large process, reaches it too and ends it before it has begun. PostgreSQL's programs hear these
 * themselves as soon as they run, so that an end by one of them means that nothing was done: it is started again.
 */
const FROM_THE_TERMINAL: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'] satisfies NodeJS.Signals[];
const STARTS = 3;

/** Only the end of what a program says is kept: that is where errors are. */
const OUTPUT_LIMIT_CHARS = 8_192;

/** What the programs need from our environment. The rest, secrets among it, is not theirs to see. */
const PASSED_ON = ['PATH', 'LD_LIBRARY_PATH', 'SystemRoot', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'USERNAME'] as const;

interface ProgramResult {
  readonly ok: boolean;
  /** Of a failure what it complained of, where it said something; not how far it had come before. */
  readonly output: string;
  /** The operating system's reason when the program could not even be started. */
  readonly refused?: unknown;
  /** The signal that ended it. */
  readonly signal?: NodeJS.Signals;
}

export interface ProgramOptions {
  readonly user: ServerUser | undefined;
  readonly limitMs: number;
  readonly descriptors?: readonly number[];
}

/** Messages in English and ASCII sorting, whatever the language of the machine: we read what the programs say. */
export function programEnvironment(): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { LC_ALL: 'C' };
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}

/** A directory that every user may stand in; ours may be closed to the server's user. */
export function commonDirectory(): string {
  return path.parse(process.execPath).root;
}

export function runAs(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user === undefined ? {} : { uid: user.uid, gid: user.gid };
}

export function neverBegan(signal: string | undefined): boolean {
  return signal !== undefined && FROM_THE_TERMINAL.includes(signal);
}

export async function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  for (let start = 1; ; start += 1) {
    const result = await runOnce(file, args, options);
    if (!neverBegan(result.signal) || start === STARTS) return result;
  }
}

function runOnce(file: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: commonDirectory(),
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', ...(options.descriptors ?? [])],
      timeout: options.limitMs,
      killSignal: 'SIGKILL',
      windowsHide: true,
      detached: true,
      ...runAs(options.user),
    });
    let output = '';
    let complaints = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output = endOf(output + chunk.toString('utf8'));
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      output = endOf(output + chunk.toString('utf8'));
      complaints = endOf(complaints + chunk.toString('utf8'));
    });
    // Whoever does not wait for it, at a second Ctrl-C, leaves nothing running.
    const endWithUs = () => child.kill('SIGTERM');
    process.once('exit', endWithUs);
    child.once('error', (fault) => {
      process.removeListener('exit', endWithUs);
      resolve({ ok: false, output: messageOf(fault), refused: fault });
    });
    child.once('close', (code, signal) => {
      process.removeListener('exit', endWithUs);
      const ending = signal === null ? '' : `\nended by ${signal} (limit ${options.limitMs} ms)`;
      const said = code === 0 || complaints.trim() === '' ? output : complaints;
      resolve({ ok: code === 0, output: `${said.trim()}${ending}`, ...(signal !== null && { signal }) });
    });
  });
}

function endOf(text: string): string {
  return text.slice(-OUTPUT_LIMIT_CHARS);
}
