/** Puts a fault into the text of a file, and says so when the file has changed and the fault no longer fits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

/** The text of the file with the fault in it. */
export function planted(root: string, { name, file, find, put }: Mutant): string {
  const parts = readFileSync(join(root, file), 'utf8').split(find);
  const [before, after] = parts;
  if (parts.length !== 2 || before === undefined || after === undefined) {
    throw new Error(`${name}: ${file} holds the text ${parts.length - 1} times, and not once:\n${find}`);
  }
  return before + put + after;
}
