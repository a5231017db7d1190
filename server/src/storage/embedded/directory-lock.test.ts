import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { present } from '../../kernel/assert.ts';
import { acquireDirectoryLock, DataDirectoryInUse, type DirectoryLock } from './directory-lock.ts';
import { type LockRecord, recordOfThisProgram } from './lock-record.ts';
import { isAlive, startMark } from './processes.ts';

const FILE = 'payferry.00000000-0000-4000-8000-000000000000.lock';
/** Its owner gives way to whoever has another name. */
const LAST_FILE = 'payferry.ffffffff-ffff-4fff-bfff-ffffffffffff.lock';
const PROGRAMS_AT_ONCE = 8;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'payferry-lock-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Of one that has the lock, unless told otherwise. */
async function leaveLock(change: Partial<LockRecord>, { ageSeconds = 0, name = FILE } = {}): Promise<void> {
  const record = { ...(await recordOfThisProgram(new Date('2026-01-02T03:04:05Z'))), held: 1, ...change };
  await writeFile(path.join(directory, name), JSON.stringify(record));
  const time = Date.now() / 1000 - ageSeconds;
  await utimes(path.join(directory, name), time, time);
}

/** The pid of a program that has ended. */
async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return present(child.pid, 'the pid of the child');
}

describe('the lock on a data directory', () => {
  it('is had by one program, refused to the next, and free again after release', async () => {
    const lock = await acquireDirectoryLock(directory);
    await expect(acquireDirectoryLock(directory)).rejects.toThrow(DataDirectoryInUse);
    await lock.release();
    const again = await acquireDirectoryLock(directory);
    await again.release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('tells who has it and since when', async () => {
    await leaveLock({});
    await expect(acquireDirectoryLock(directory)).rejects.toThrow(
      `(pid ${process.pid}, since 2026-01-02T03:04:05.000Z)`,
    );
  });

  it('is had by exactly one of many that come at once', async () => {
    const comers = Array.from({ length: PROGRAMS_AT_ONCE }, () => acquireDirectoryLock(directory));
    const results = await Promise.allSettled(comers);
    const winners = results.flatMap((result): DirectoryLock[] => (result.status === 'fulfilled' ? [result.value] : []));
    expect(winners).toHaveLength(1);
    await Promise.all(winners.map((lock) => lock.release()));
    expect(await readdir(directory)).toEqual([]);
  });

  it('is not given up before one that only wants it too, however long that takes to give way', async () => {
    await leaveLock({ held: 0 }, { name: LAST_FILE });
    const coming = acquireDirectoryLock(directory);
    await sleep(1_000);
    await rm(path.join(directory, LAST_FILE));
    const lock = await coming;
    expect(await readdir(directory)).toHaveLength(1);
    await lock.release();
  });

  it('is respected where the file of an earlier version does not say that it is had', async () => {
    const { held: _, ...record } = await recordOfThisProgram(new Date());
    await writeFile(path.join(directory, FILE), JSON.stringify(record));
    await expect(acquireDirectoryLock(directory)).rejects.toThrow(DataDirectoryInUse);
  });

  it('is taken over from a program that was killed', async () => {
    await leaveLock({ pid: await deadPid() });
    const lock = await acquireDirectoryLock(directory);
    const left = await readdir(directory);
    expect(left).toHaveLength(1);
    expect(left).not.toContain(FILE);
    await lock.release();
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when another program now has the pid of the owner',
    async () => {
      await leaveLock({ startMark: '1' });
      const lock = await acquireDirectoryLock(directory);
      await lock.release();
    },
  );

  it('is taken over from another container whose program has shown no sign of life', async () => {
    await leaveLock({ space: 'another container' }, { ageSeconds: 60 });
    const lock = await acquireDirectoryLock(directory);
    await lock.release();
  });

  it('is refused while a program in another container keeps its file fresh', async () => {
    await leaveLock({ space: 'another container', host: 'elsewhere' }, { ageSeconds: 1 });
    const beating = setInterval(() => void utimes(path.join(directory, FILE), new Date(), new Date()), 50);
    await expect(acquireDirectoryLock(directory)).rejects.toThrow('on elsewhere');
    clearInterval(beating);
  });

  it('is not disturbed by a file that somebody is still writing', async () => {
    await writeFile(path.join(directory, FILE), '');
    const lock = await acquireDirectoryLock(directory);
    expect(await readdir(directory)).toContain(FILE);
    await lock.release();
  });

  it('says so when the directory cannot be written to', async () => {
    await expect(acquireDirectoryLock(path.join(directory, 'absent'))).rejects.toThrow('cannot be used');
    // Here the lock can be neither written nor taken away.
    const file = path.join(directory, 'file');
    await writeFile(file, '');
    await expect(acquireDirectoryLock(file)).rejects.toThrow(`The directory ${file} cannot be used: ENOTDIR`);
  });
});

describe('processes', () => {
  it('live until they end', async () => {
    expect(await isAlive(process.pid)).toBe(true);
    expect(await isAlive(await deadPid())).toBe(false);
  });

  it('have a start mark that stays the same', async () => {
    expect(await startMark(process.pid)).toBe(await startMark(process.pid));
    expect(await startMark(await deadPid())).toBeUndefined();
  });
});
