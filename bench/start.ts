/** Start to ready: the program itself, from its command to the moment when /health/ready says so. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../bin/payferry.js', import.meta.url));
const MAX_START_MS = 60_000;

export interface StartTimes {
  readonly newDirectoryMs: number;
  readonly existingDirectoryMs: number;
}

export async function measureStart(): Promise<StartTimes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payferry-bench-start-'));
  try {
    const newDirectoryMs = await startOnce(dataDir);
    const existingDirectoryMs = await startOnce(dataDir);
    return { newDirectoryMs, existingDirectoryMs };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function startOnce(dataDir: string): Promise<number> {
  const startedAtMs = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--data', dataDir, '--port', '0', '--operator-port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await apiAddress(child);
  const answer = await fetch(`${url}/health/ready`);
  const readyMs = performance.now() - startedAtMs;
  if (answer.status !== 200) throw new Error(`not ready: ${answer.status}`);
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const code = await exited;
  if (code !== 0) throw new Error(`the program ended with ${code}`);
  return readyMs;
}

/** Reads the printed lines up to the one that names the address. */
function apiAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => reject(new Error(`no address after ${MAX_START_MS} ms: ${printed}`)), MAX_START_MS);
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const [, address] = /^ {2}API +(http\S+)\/v1$/m.exec(printed) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)));
  });
}
