/** Runs a program of the simulation in a process of its own: it seals its process off from time, which tests need. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly faults: string;
}

export function runSimulation(program: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', program, ...args],
      { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES },
      (fault, out, faults) => resolve({ code: fault === null ? 0 : Number(fault.code ?? 1), out, faults }),
    );
  });
}
