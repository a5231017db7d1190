import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DirectoryUnusable, makeDirectory } from './directory.ts';

const place = await mkdtemp(join(tmpdir(), 'payferry-directory-'));
afterAll(() => rm(place, { recursive: true, force: true }));
await writeFile(join(place, 'file'), '');
await symlink(join(place, 'nowhere'), join(place, 'dangling'));

describe('a directory', () => {
  it('is made with those above it, by several at once too, and left as it is when it is there', async () => {
    const directory = join(place, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 5 }, () => makeDirectory(directory)));
    await writeFile(join(directory, 'kept'), '');
    await makeDirectory(directory);
    expect(await readdir(directory)).toEqual(['kept']);
    expect((await stat(directory)).isDirectory()).toBe(true);
  });

  it.each(['file', 'file/below', 'dangling', '\0'])('that cannot be one is told: %j', async (name) => {
    await expect(makeDirectory(join(place, name))).rejects.toThrow(DirectoryUnusable);
  });

  it('is not tried for ever where nothing can be made', async () => {
    await expect(makeDirectory('/proc/payferry/data')).rejects.toThrow('/proc/payferry/data cannot be used: E');
  });
});
