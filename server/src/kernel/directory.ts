/** Makes the directory in which a program keeps its files, or says in one line why that cannot be. */
import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** The message is for the person who started the program. */
export class DirectoryUnusable extends Error {
  override readonly name = 'DirectoryUnusable';
}

/**
 * With those above it. One by one: Node's own way to make them all never ends where the system says that there is no
 * place for one in a directory which exists, as it does in /proc.
 */
export async function makeDirectory(directory: string): Promise<void> {
  const isDirectory = await makeOneByOne(resolve(directory)).catch((fault: unknown) => {
    throw unusable(directory, fault);
  });
  if (isDirectory) return;
  throw new DirectoryUnusable(`${directory} is not a directory. Choose another one with --data.`);
}

async function makeOneByOne(directory: string): Promise<boolean> {
  for (const missing of await missingIn(directory)) await mkdir(missing).catch(ignoreExisting);
  return (await stat(directory)).isDirectory();
}

/** For what goes wrong with a file in it. */
export function unusable(directory: string, fault: unknown): DirectoryUnusable {
  const why = fault instanceof Error ? fault.message : String(fault);
  return new DirectoryUnusable(
    `The directory ${directory} cannot be used: ${why}. Choose another one with --data, or mend its permissions.`,
    { cause: fault },
  );
}

/** From the outermost to the innermost. */
async function missingIn(directory: string): Promise<string[]> {
  const missing: string[] = [];
  for (let place = directory; !(await isThere(place)); place = dirname(place)) missing.unshift(place);
  return missing;
}

async function isThere(place: string): Promise<boolean> {
  try {
    await stat(place);
    return true;
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return false;
    throw fault;
  }
}

/** Another program may have made it meanwhile. */
function ignoreExisting(fault: unknown): void {
  if (codeOf(fault) !== 'EEXIST') throw fault;
}

function codeOf(fault: unknown): unknown {
  return fault instanceof Error && 'code' in fault ? fault.code : undefined;
}
