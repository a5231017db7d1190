/**
 * The lock on a data directory, held by the program itself: exactly one living program owns the directory.
 *
 * Each program writes a file under a name of its own and then looks at all the others; who finds itself alone has the
 * lock. Of two that come at the same moment, the later writer looks after the earlier one has written, so at most one
 * of them is alone. While several wait, all but the one with the first name take their files back, so that one of them
 * gets on; who has the lock says so in its file, and only before that one the others give up soon. No file is ever
 * taken over by name, so there is no moment in which a late look could remove somebody's fresh lock; a dead program's
 * file is just removed.
 *
 * A program in another container or on another machine cannot be seen by its pid. Its file tells instead: the owner
 * writes it again every two seconds, and a file that stands still for ten has no owner.
 */
import { randomUUID } from 'node:crypto';
import { open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../kernel/clock.ts';
import { unusable } from '../../kernel/directory.ts';
import { codeOf, EmbeddedPostgresFault } from './faults.ts';
import { type LockRecord, recordOfThisProgram } from './lock-record.ts';
import { findRivals, type Watch } from './lock-rivals.ts';

const HEARTBEAT_MS = 2_000;
/** A program that has the lock is given this long to go away: it may just be stopping. */
const HELD_LIMIT_MS = 500;
const CONTEND_PAUSE_MS = 10;
/**
 * How long a file from elsewhere is watched: a little longer than it takes to be sure that it stands still. And how
 * long programs wait that want the lock at the same time, on a busy machine too: one of them will have it.
 */
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
  const file = path.join(directory, `payferry.${randomUUID()}.lock`);
  try {
    await contend(directory, file, mine);
    return await holdLock(file, textOf({ ...mine, held: 1 }));
  } catch (fault) {
    // Where nothing can be written nothing can be taken away either: what went wrong first is told.
    await rm(file, { force: true }).catch(() => undefined);
    throw fault;
  }
}

/** Until the file is there and no other one is. */
async function contend(directory: string, file: string, mine: LockRecord): Promise<void> {
  const text = textOf(mine);
  await writeLock(file, text);
  let written = true;
  const ownName = path.basename(file);
  const clockOffsetMs = (await stat(file)).mtimeMs - Date.now();
  const watch: Watch = { directory, ownName, mine, clockOffsetMs, firstSeen: new Map() };
  const startedMs = performance.now();
  for (;;) {
    const rivals = await findRivals(watch);
    const [rival] = rivals;
    if (rival === undefined) {
      if (written) return;
      await writeLock(file, text);
      written = true;
      continue;
    }
    const limitMs = rival.certain && rival.record.held === 1 ? HELD_LIMIT_MS : WATCH_LIMIT_MS;
    if (performance.now() - startedMs > limitMs) throw new DataDirectoryInUse(directory, rival.record, mine);
    if (written && rivals.some(({ name }) => name < ownName)) {
      await rm(file, { force: true });
      written = false;
    }
    await sleep(CONTEND_PAUSE_MS);
  }
}

function textOf(record: LockRecord): string {
  return `${JSON.stringify(record)}\n`;
}

async function writeLock(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o644 });
  } catch (fault) {
    throw unusable(path.dirname(file), fault);
  }
}

/** Says in the file that the lock is had, keeps it fresh, and brings it back should somebody delete it. */
async function holdLock(file: string, text: string): Promise<DirectoryLock> {
  await rewrite(file, text);
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

/** Writes as many bytes in place: the time of the file moves, and a reader never sees less than the whole. */
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
