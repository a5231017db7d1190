/** Small JSON files in the data directory that only their owner may read: addresses with tokens and secrets in them. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeDirectory, unusable } from '../kernel/directory.ts';

const OWNER_ONLY = 0o600;
/** Ours have a few hundred bytes; something much larger is not one of them. */
const MAX_CHARS = 10_000;

/**
 * Written beside and moved into place, so that a reader never meets half of it, and it is private from the first byte.
 */
export async function writePrivateFile(path: string, content: Readonly<Record<string, string>>): Promise<void> {
  await makeDirectory(dirname(path));
  const beside = `${path}.${process.pid}.new`;
  try {
    await rm(beside, { force: true });
    await writeFile(beside, `${JSON.stringify(content, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
    await rename(beside, path);
  } catch (fault) {
    throw unusable(dirname(path), fault);
  }
}

/** The texts of these names; undefined when there is no such file, or it is not one that we wrote. */
export async function readPrivateFile<Name extends string>(
  path: string,
  names: readonly Name[],
): Promise<Readonly<Record<Name, string>> | undefined> {
  const text = await readFile(path, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined;
    throw fault;
  });
  if (text === undefined || text.length > MAX_CHARS) return undefined;
  const values = parseObject(text);
  const found = names.map((name) => [name, values.get(name)] as const);
  if (!found.every((pair): pair is [Name, string] => typeof pair[1] === 'string')) return undefined;
  return recordOf(found);
}

function recordOf<Name extends string>(pairs: readonly (readonly [Name, string])[]): Readonly<Record<Name, string>> {
  const record: Partial<Record<Name, string>> = {};
  for (const [name, value] of pairs) record[name] = value;
  return record as Record<Name, string>;
}

function parseObject(text: string): ReadonlyMap<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    return new Map(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []);
  } catch {
    return new Map();
  }
}
