/** Where distributions put PostgreSQL's programs: on the path, or in a directory per version that is not on it. */
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Directories whose subdirectories are versions, and what follows after the version. */
const VERSIONED = [
  { above: '/usr/lib/postgresql', below: 'bin' },
  { above: '/usr/local/lib/postgresql', below: 'bin' },
  { above: '/usr/libexec', below: '' },
  { above: '/usr', below: 'bin' },
  { above: '/opt/homebrew/opt', below: 'bin' },
  { above: '/usr/local/opt', below: 'bin' },
  { above: '/Library/PostgreSQL', below: 'bin' },
] as const;

/** A version directory: `17`, `postgresql17`, `postgresql@17`, `pgsql-17`. */
const VERSION_NAME = /^(?:postgresql@?|pgsql-)?(\d{2})$/;

/** Every directory that holds a `postgres`, the newest version first, after those on the path. */
export async function systemDirectories(): Promise<string[]> {
  const { PATH = '' } = process.env;
  const onPath = PATH.split(path.delimiter).filter((directory) => path.isAbsolute(directory));
  const versioned = (await Promise.all(VERSIONED.map(listVersions))).flat().sort((a, b) => b.major - a.major);
  const all = [...new Set([...onPath, ...versioned.map(({ directory }) => directory)])];
  const present = await Promise.all(all.map(holdsPostgres));
  return all.filter((_, index) => present[index]);
}

async function listVersions({ above, below }: (typeof VERSIONED)[number]) {
  const names = await readdir(above).catch(() => []);
  return names.flatMap((name) => {
    const major = VERSION_NAME.exec(name)?.[1];
    return major === undefined ? [] : [{ directory: path.join(above, name, below), major: Number(major) }];
  });
}

async function holdsPostgres(directory: string): Promise<boolean> {
  return access(path.join(directory, process.platform === 'win32' ? 'postgres.exe' : 'postgres')).then(
    () => true,
    () => false,
  );
}
