import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findBinaries, findPackage } from './binaries.ts';
import { copyPackage } from './binary-copy.ts';
import { repairLinks } from './binary-links.ts';

let place: string;
beforeEach(async () => {
  place = await mkdtemp(path.join(os.tmpdir(), 'payferry-binaries-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(place, { recursive: true, force: true });
});

/** A package like those of the platforms, before its install script has run. */
async function makePackage(): Promise<string> {
  const root = path.join(place, 'package');
  await mkdir(path.join(root, 'native', 'lib', 'pgxs'), { recursive: true });
  await mkdir(path.join(root, 'native', 'bin'));
  await writeFile(path.join(root, 'native', 'bin', 'postgres'), '#!/bin/sh\necho "postgres (PostgreSQL) 14.2"\n');
  await chmod(path.join(root, 'native', 'bin', 'postgres'), 0o700);
  await writeFile(path.join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
  await writeFile(path.join(root, 'native', 'lib', 'pgxs', 'Makefile'), 'not needed');
  const links = [
    { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
    { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
    { source: 'native/lib/libpq.so.5.18', target: '../outside' },
  ];
  await writeFile(path.join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  return root;
}

describe('the links of the package', () => {
  it('are made when the install script was blocked, also by several programs at once', async () => {
    const root = await makePackage();
    expect(await Promise.all([repairLinks(root), repairLinks(root), repairLinks(root)])).toEqual([true, true, true]);
    expect(await readlink(path.join(root, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
    expect(await readFile(path.join(root, 'native', 'lib', 'libpq.so'), 'utf8')).toBe('library');
    await expect(lstat(path.join(place, 'outside'))).rejects.toThrow('ENOENT');
  });

  it('are left alone when they are there', async () => {
    const root = await makePackage();
    await writeFile(path.join(root, 'native', 'lib', 'libpq.so'), 'put here by hand');
    expect(await repairLinks(root)).toBe(true);
    expect(await readFile(path.join(root, 'native', 'lib', 'libpq.so'), 'utf8')).toBe('put here by hand');
  });

  it('cannot be made where nothing may be written', async () => {
    const root = await makePackage();
    await rm(path.join(root, 'native', 'lib'), { recursive: true });
    expect(await repairLinks(root)).toBe(false);
  });
});

describe('a copy of the binaries', () => {
  it('is made once, readable by everyone, without the parts that the server does not need', async () => {
    const root = await makePackage();
    const home = path.join(place, 'home');
    const copies = await Promise.all([copyPackage(root, '1.2', [home]), copyPackage(root, '1.2', [home])]);
    expect(copies[0]).toBe(copies[1]);
    expect(await readdir(home)).toEqual([path.basename(copies[0])]);
    expect(await readdir(path.join(copies[0], 'native', 'lib'))).toEqual(['libpq.so.5.18']);
    const program = await lstat(path.join(copies[0], 'native', 'bin', 'postgres'));
    expect(program.mode & 0o777).toBe(0o755);
  });

  it('is refused in a directory into which others could put programs of their own', async () => {
    const root = await makePackage();
    const shared = path.join(place, 'shared');
    await mkdir(shared);
    await chmod(shared, 0o777);
    await expect(copyPackage(root, '1.2', [shared])).rejects.toThrow('others may write to it');
    const second = path.join(place, 'second');
    expect(await copyPackage(root, '1.2', [shared, second])).toContain(second);
  });
});

describe('the programs of PostgreSQL', () => {
  it('come with the package', async () => {
    const binaries = await findBinaries({ user: undefined, major: undefined });
    expect(binaries.directory).toBe(path.join(findPackage() ?? 'no package', 'native', 'bin'));
    expect(binaries.major).toBeGreaterThanOrEqual(15);
  });

  it('are asked for in words when there is none of the version that made the directory', async () => {
    await expect(findBinaries({ user: undefined, major: 9 })).rejects.toThrow(/No PostgreSQL 9.*DATABASE_URL/);
  });

  it.each([
    { what: 'too old', directory: () => makePackage().then((root) => path.join(root, 'native', 'bin')) },
    { what: 'ENOENT', directory: async () => path.join(place, 'absent') },
  ])('named by the operator are used or refused, never replaced in silence: $what', async ({ what, directory }) => {
    vi.stubEnv('PAYFERRY_POSTGRES_BIN', await directory());
    await expect(findBinaries({ user: undefined, major: undefined })).rejects.toThrow(what);
  });
});
