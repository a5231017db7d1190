/**
 * The lock on a data directory, held by the program itself: exactly one living program owns the directory.
 *
 * Each program writes a file under a name of its own and then looks at all the others. Whoever sees another living
 * one takes its own file back. Of two that come at the same moment, the later writer looks after the earlier one has
 * written, so at most one of them finds itself alone; no file is ever taken over by name, so there is no moment in
 * which a late look could remove somebody's fresh lock. A dead program's file is just removed.
 *
 * A program in another container or on another machine cannot be seen by its pid. Its file tells instead: the owner
 * writes it again every two seconds, and a file that stands still for ten has no owner.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { open, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../kernel/clock.ts';
import { codeOf, EmbeddedPostgresFault, messageOf } from './faults.ts';
import {
  LOCK_NAME,
  type LockRecord,
  type LockSighting,
  readLock,
  recordOfThisProgram,
  writerState,
} from './lock-record.ts';

const HEARTBEAT_MS = 2_000;
/** A rival that lives is given this long to go away: it may just be stopping, or taking its own file back. */
const CONTEND_LIMIT_MS = 500;
const CONTEND_PAUSE_MS = { least: 10, most: 60 } as const;
/** A file from elsewhere that was not written for this long has no owner; the watch for it lasts a little longer. */
const STANDS_STILL_MS = 10_000;
const WATCH_LIMIT_MS = 12_000;

export interface DirectoryLock {
  release(): Promise<void>;
}

export class DataDirectoryInUse extends EmbeddedPostgresFault {
  override readonly name = 'DataDirectoryInUse';
  readonly directory: string;
  readonly pid: number;

  constructor(directory: string, holder: LockRecord, here: LockRecord) {
    const where = holder.space === here.space ? '' : ` on ${holder.host}`;
    super(
      `The data directory ${directory} is in use by another program (pid ${holder.pid}${where}, since ${holder.since}). ` +
        'Stop that one first, or choose another directory with --data.',
    );
    this.directory = directory;
    this.pid = holder.pid;
  }
}

/** Takes the lock, or throws DataDirectoryInUse: within a second, or after a watch when the other may be elsewhere. */
export async function acquireDirectoryLock(directory: string): Promise<DirectoryLock> {
  const mine = await recordOfThisProgram(systemClock.now());
  const text = `${JSON.stringify(mine)}\n`;
  const file = path.join(directory, `payferry.${randomUUID()}.lock`);
  const firstSeen = new Map<string, number>();
  const startedMs = performance.now();
  for (;;) {
    await writeLock(file, text);
    const rival = await findRival(directory, file, mine, firstSeen);
    if (rival === undefined) return holdLock(file, text);
    await rm(file, { force: true });
    const waitedMs = performance.now() - startedMs;
    if (waitedMs > (rival.certain ? CONTEND_LIMIT_MS : WATCH_LIMIT_MS)) {
      throw new DataDirectoryInUse(directory, rival.record, mine);
    }
    await sleep(randomInt(CONTEND_PAUSE_MS.least, CONTEND_PAUSE_MS.most));
  }
}

async function writeLock(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o644 });
  } catch (fault) {
    throw new EmbeddedPostgresFault(`The data directory cannot be written to: ${messageOf(fault)}`);
  }
}

interface Rival {
  readonly record: LockRecord;
  /** False while a file from elsewhere is still being watched. */
  readonly certain: boolean;
}

/** Looks at every other lock file, removes those of dead programs, and gives back a living one. */
async function findRival(
  directory: string,
  ownFile: string,
  mine: LockRecord,
  firstSeen: Map<string, number>,
): Promise<Rival | undefined> {
  const own = await readLock(directory, path.basename(ownFile));
  const nowMs = own?.writtenMs ?? Date.now();
  let found: Rival | undefined;
  for (const name of await readdir(directory)) {
    if (!LOCK_NAME.test(name) || name === path.basename(ownFile)) continue;
    const sighting = await readLock(directory, name);
    if (sighting === undefined) continue;
    const state = await judge(sighting, mine, nowMs, firstSeen);
    if (state === 'dead') await rm(sighting.file, { force: true });
    if (sighting.record === undefined || state === 'dead') continue;
    if (found === undefined || state === 'living') found = { record: sighting.record, certain: state === 'living' };
  }
  return found;
}

/**
 * A file without a readable record is being written this instant: its writer has not looked around yet and will
 * find ours, so it is no rival. It is left alone until nobody can be writing it any more. Both times compared here
 * come from the file system of the directory, so clocks that differ between machines do no harm.
 */
async function judge(
  sighting: LockSighting,
  mine: LockRecord,
  nowMs: number,
  firstSeen: Map<string, number>,
): Promise<'living' | 'dead' | 'unsure'> {
  const state = sighting.record === undefined ? 'elsewhere' : await writerState(sighting.record, mine);
  if (state !== 'elsewhere') return state;
  if (nowMs - sighting.writtenMs > STANDS_STILL_MS) return 'dead';
  const before = firstSeen.get(sighting.file);
  firstSeen.set(sighting.file, before ?? sighting.writtenMs);
  return before === undefined || before === sighting.writtenMs ? 'unsure' : 'living';
}

/** Keeps the file fresh, and brings it back should somebody delete it. */
function holdLock(file: string, text: string): DirectoryLock {
  let beating = Promise.resolve();
  const timer = setInterval(() => {
    beating = beating.then(() => rewrite(file, text)).catch(() => undefined);
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      await beating;
      await rm(file, { force: true });
    },
  };
}

/** Writes the same bytes in place: the time of the file moves, and a reader never sees less than the whole. */
async function rewrite(file: string, text: string): Promise<void> {
  const handle = await open(file, 'r+').catch((fault: unknown) => {
    if (codeOf(fault) === 'ENOENT') return open(file, 'wx');
    throw fault;
  });
  try {
    await handle.write(text, 0);
  } finally {
    await handle.close();
  }
}
