/**
 * A copy of the package's binaries, for the two cases in which they cannot be used where they lie: the server's user
 * cannot reach them (a checkout in the private home of root), or links are missing that we may not add. One copy per
 * version, made aside and put in place by a rename, in a directory that nobody but us can write to.
 */
import { randomUUID } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { codeOf, EmbeddedPostgresFault } from './faults.ts';

/** About twice what the largest platform package holds today; more would not be what we expect to copy. */
const COPY_LIMIT_BYTES = 256 * 1024 * 1024;
/** Parts for building extensions, which the server does not need. */
const LEFT_OUT = new Set(['pgxs', 'pkgconfig', 'include', 'doc', 'man']);
const OTHERS_MAY_WRITE = 0o022;
const READABLE_DIRECTORY = 0o755;

/** The places to try, best first. The last resort is the temporary directory, under a name of this user. */
function copyHomes(): string[] {
  const uid = process.getuid?.() ?? 0;
  const lasting = uid === 0 ? '/var/lib/payferry' : path.join(os.homedir(), '.cache', 'payferry');
  return [lasting, path.join(os.tmpdir(), `payferry-${uid}`)];
}

/** Gives back the root of the copy, shaped like the package: `native/bin` and so on lie below it. */
export async function copyPackage(packageRoot: string, version: string, homes = copyHomes()): Promise<string> {
  const refusals: string[] = [];
  for (const home of homes) {
    const target = path.join(home, `postgres-${version}-${process.platform}-${process.arch}`);
    try {
      if ((await mkdir(home, { recursive: true })) !== undefined) await chmod(home, READABLE_DIRECTORY);
      await requirePrivate(home);
      if (!(await isThere(target))) await copyAside(packageRoot, target);
      await requirePrivate(target);
      return target;
    } catch (fault) {
      refusals.push(`${home}: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  }
  throw new EmbeddedPostgresFault(`PostgreSQL's programs could not be copied. ${refusals.join('; ')}`);
}

async function copyAside(packageRoot: string, target: string): Promise<void> {
  const aside = `${target}.new-${randomUUID()}`;
  const native = path.join(packageRoot, 'native');
  try {
    await requireCopyable(native);
    await mkdir(aside);
    await cp(native, path.join(aside, 'native'), { recursive: true, verbatimSymlinks: true, filter: isNeeded });
    await makeReadable(aside);
    await rename(aside, target);
  } catch (fault) {
    await rm(aside, { recursive: true, force: true });
    // Another program was faster; its copy is the same as ours.
    const code = codeOf(fault);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'EPERM') throw fault;
    if (!(await isThere(target))) throw fault;
  }
}

function isNeeded(source: string): boolean {
  return !LEFT_OUT.has(path.basename(source)) && !source.endsWith('.a');
}

/** An install under a strict umask leaves files that only their owner may read. Others get what the owner has. */
async function makeReadable(top: string): Promise<void> {
  const names = await readdir(top, { recursive: true });
  for (const target of [top, ...names.map((name) => path.join(top, name))]) {
    const facts = await lstat(target);
    if (facts.isSymbolicLink()) continue;
    const shared = facts.mode & 0o500;
    const wanted = (facts.mode & 0o700) | (shared >> 3) | (shared >> 6);
    if ((facts.mode & 0o777) !== wanted) await chmod(target, wanted);
  }
}

async function requireCopyable(native: string): Promise<void> {
  let bytes = 0;
  for (const name of await readdir(native, { recursive: true })) {
    bytes += (await lstat(path.join(native, name))).size;
    if (bytes > COPY_LIMIT_BYTES) throw new Error(`${native} holds more than ${COPY_LIMIT_BYTES} bytes`);
  }
}

/** In a shared directory somebody else could have put programs of his own under our name. */
async function requirePrivate(directory: string): Promise<void> {
  const facts = await lstat(directory);
  if (!facts.isDirectory()) throw new Error('is not a directory');
  const ourUid = process.getuid?.();
  if (ourUid === undefined) return;
  if (facts.uid !== ourUid || (facts.mode & OTHERS_MAY_WRITE) !== 0) throw new Error('others may write to it');
}

async function isThere(target: string): Promise<boolean> {
  return stat(target).then(
    () => true,
    () => false,
  );
}
