/** Runs the command line as a user would: a process of its own, as it was built before the tests (global-setup.ts). */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { writeOperatorAccess } from '../../server/src/operator/local-files.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/payferry.js', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

interface StartedCli {
  /** What it has printed so far. */
  printed(): Pick<CliRun, 'stdout' | 'stderr'>;
  readonly ended: Promise<CliRun>;
}

/** For commands that run on. Settings of the shell that runs the tests do not reach it. */
export function startCli(args: readonly string[], options: CliOptions = {}): StartedCli {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH, HOME, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(options.input ?? '');
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const printed = () => ({ stdout: stdout(), stderr: stderr() });
  const ended = new Promise<CliRun>((resolve) => child.once('close', (code) => resolve({ code, ...printed() })));
  return { printed, ended };
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  return startCli(args, options).ended;
}

interface OperatorCli {
  /** Where the operator's access lies; removed when the file ends. */
  readonly data: string;
  /** For people: the lines of the output, spaces between columns made one. The run must succeed. */
  lines(...args: readonly string[]): Promise<string[]>;
  /** For programs: the output as JSON. The run must succeed. */
  json(...args: readonly string[]): Promise<unknown>;
}

/** The command line of an operator of that listener. Call it at the top of a test file. */
export async function operatorCli({
  url,
  token,
}: {
  readonly url: string;
  readonly token: string;
}): Promise<OperatorCli> {
  const data = await mkdtemp(join(tmpdir(), 'payferry-cli-'));
  await writeOperatorAccess(data, { url, token });
  afterAll(() => rm(data, { recursive: true, force: true }));
  const output = async (args: readonly string[]): Promise<string> => {
    const run = await runCli([...args, '--data', data]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return run.stdout;
  };
  return {
    data,
    lines: async (...args) => {
      const lines = (await output(args)).trimEnd().split('\n');
      return lines.map((line) => line.trim().replace(/ {2,}/g, ' | '));
    },
    json: async (...args) => JSON.parse(await output([...args, '--json'])),
  };
}
