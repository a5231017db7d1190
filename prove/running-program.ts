/** The real program as a child process, started from the build as a user starts it, and killed as nobody should. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type SignedCaller, signedCaller } from '../test/support/signed-caller.ts';

const PROGRAM = fileURLToPath(new URL('../bin/payferry.js', import.meta.url));
const MAX_START_MS = 120_000;

export interface RunningProgram {
  readonly caller: SignedCaller;
  readonly dataDir: string;
  kill(): Promise<void>;
  /** Asks it to stop, and gives its exit code. */
  stop(): Promise<number | null>;
}

export async function startProgram(dataDir: string): Promise<RunningProgram> {
  const flags = ['--data', dataDir, '--port', '0', '--operator-port', '0', '--log-level', 'error'];
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await printed(child, 'Payferry is ready');
  const { url, key, secret } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const caller = signedCaller({ baseUrl: url, key, secret });
  return {
    caller,
    dataDir,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      caller.close();
    },
    stop: async () => {
      child.kill('SIGTERM');
      caller.close();
      return exited;
    },
  };
}

function printed(child: ChildProcess, wanted: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`not ready in ${MAX_START_MS} ms: ${text}`)), MAX_START_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.includes(wanted)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready: ${text}`)));
  });
}

/** The process id of the embedded server: the first line of its own file. */
export async function serverPid(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  return Number(text.split('\n', 1)[0]);
}
