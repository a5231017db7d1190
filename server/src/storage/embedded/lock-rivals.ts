/** The other programs that have written a lock file into the directory, and whether they live (directory-lock.ts). */
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { LOCK_NAME, type LockRecord, type LockSighting, readLock, writerState } from './lock-record.ts';

interface Rival {
  readonly name: string;
  readonly record: LockRecord;
  /** False while a file from elsewhere is still being watched. */
  readonly certain: boolean;
}

/** Who looks, and what earlier looks have shown. */
export interface Watch {
  readonly directory: string;
  readonly ownName: string;
  readonly mine: LockRecord;
  /** What to add to our clock to get the time as the file system of the directory counts it. */
  readonly clockOffsetMs: number;
  /** When each file from elsewhere had last been written when we first saw it. */
  readonly firstSeen: Map<string, number>;
}

/** A file from elsewhere that was not written for this long has no owner. */
const STANDS_STILL_MS = 10_000;

/** All living ones, the one to name first: it surely lives, has the lock, and is the oldest. Files of dead ones go. */
export async function findRivals(watch: Watch): Promise<Rival[]> {
  const rivals: Rival[] = [];
  for (const name of await readdir(watch.directory)) {
    if (!LOCK_NAME.test(name) || name === watch.ownName) continue;
    const sighting = await readLock(watch.directory, name);
    if (sighting === undefined) continue;
    const state = await judge(watch, sighting);
    if (state === 'dead') await rm(path.join(watch.directory, name), { force: true });
    else if (sighting.record !== undefined) rivals.push({ name, record: sighting.record, certain: state === 'living' });
  }
  return rivals.sort(byWeight);
}

function byWeight(a: Rival, b: Rival): number {
  const byHold = Number(b.certain) - Number(a.certain) || b.record.held - a.record.held;
  return byHold || (a.record.since < b.record.since ? -1 : 1);
}

/**
 * A file without a readable record is being written this instant: its writer has not looked around yet and will
 * find ours, so it is no rival. It is left alone until nobody can be writing it any more. Both times compared here
 * come from the file system of the directory, so clocks that differ between machines do no harm.
 */
async function judge(watch: Watch, sighting: LockSighting): Promise<'living' | 'dead' | 'unsure'> {
  const state = sighting.record === undefined ? 'elsewhere' : await writerState(sighting.record, watch.mine);
  if (state !== 'elsewhere') return state;
  if (Date.now() + watch.clockOffsetMs - sighting.writtenMs > STANDS_STILL_MS) return 'dead';
  const before = watch.firstSeen.get(sighting.file);
  watch.firstSeen.set(sighting.file, before ?? sighting.writtenMs);
  return before === undefined || before === sighting.writtenMs ? 'unsure' : 'living';
}
