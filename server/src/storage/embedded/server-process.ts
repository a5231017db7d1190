/** The server as a process: one that we started, or one that an earlier program started and we found. */
import type { ChildProcess } from 'node:child_process';
import { endsWithin } from '../../kernel/deadline.ts';
import { type Binaries, programPath } from './binaries.ts';
import { codeOf } from './faults.ts';
import { isAlive, startMark } from './processes.ts';
import { runProgram } from './run-program.ts';

export interface ServerEnd {
  /** In a word for people. */
  readonly how: string;
  readonly signal?: NodeJS.Signals;
}

export interface ServerProcess {
  readonly pid: number;
  /** Settles when the process is gone. Never rejects. */
  readonly exited: Promise<ServerEnd>;
  hasExited(): boolean;
}

export type StopSignal = 'INT' | 'QUIT' | 'KILL';

/** The end of a foreign process is not told to us, so it is looked for. */
const FOUND_SERVER_POLL_MS = 200;
const SIGNAL_LIMIT_MS = 10_000;

export function startedServer(child: ChildProcess, pid: number): ServerProcess {
  const exited = new Promise<ServerEnd>((resolve) => {
    child.once('exit', (code, signal) => {
      resolve(signal === null ? { how: `exit code ${code}` } : { how: `signal ${signal}`, signal });
    });
  });
  return track(pid, exited);
}

/** The timer does not keep the program alive: whoever waits for the end has a timer of his own. */
export async function foundServer(pid: number): Promise<ServerProcess> {
  const mark = await startMark(pid);
  const exited = new Promise<ServerEnd>((resolve) => {
    const look = async () => {
      if ((await isAlive(pid)) && (await startMark(pid)) === mark) setTimeout(look, FOUND_SERVER_POLL_MS).unref();
      else resolve({ how: 'unseen, it was not our child' });
    };
    setTimeout(look, FOUND_SERVER_POLL_MS).unref();
  });
  return track(pid, exited);
}

function track(pid: number, exited: Promise<ServerEnd>): ServerProcess {
  let gone = false;
  const marked = exited.then((end) => {
    gone = true;
    return end;
  });
  return { pid, exited: marked, hasExited: () => gone };
}

/** True when the process ended within the limit. */
export function waitForExit(server: ServerProcess, limitMs: number): Promise<boolean> {
  return endsWithin(limitMs, server.exited);
}

/** Windows knows no signals; PostgreSQL's own program carries them there. */
export async function signalServer(binaries: Binaries, server: ServerProcess, signal: StopSignal): Promise<void> {
  if (process.platform === 'win32') {
    const args = ['kill', signal, String(server.pid)];
    await runProgram(programPath(binaries.directory, 'pg_ctl'), args, { user: undefined, limitMs: SIGNAL_LIMIT_MS });
    return;
  }
  try {
    process.kill(server.pid, `SIG${signal}`);
  } catch (fault) {
    if (codeOf(fault) !== 'ESRCH') throw fault;
  }
}
