/**
 * Lists that stay current: looks at the files when it is told to, reads those that changed, and puts a new index of all
 * lists in place of the old one in a single step. A list that cannot be used stays in force as it was, and holds up no
 * other one.
 */
import { stat } from 'node:fs/promises';
import { ListInvalid } from './list-entry.ts';
import { listScreening } from './list-screening.ts';
import { filesOf, indexLists, type ListSource, type LoadedLists, type ReadList, readList } from './load-lists.ts';
import type { Hit, ScreenedSubject, SenderScreening } from './sender-screening.ts';

interface Reload {
  /** Broken: a file changed and cannot be used; `reason` says why. Others may have been read. */
  readonly outcome: 'unchanged' | 'reloaded' | 'broken';
  /** The version in force afterwards. */
  readonly version: string;
  readonly entries: number;
  readonly reason?: Error;
}

export interface KeptLists extends SenderScreening {
  /** The hits with the version by which they were found: what a decision is stored with. */
  decide(subject: ScreenedSubject): { readonly version: string; readonly hits: readonly Hit[] };
  /** How many entries all lists have together. */
  entries(): number;
  /** Whether a list cannot be used as its files are, and an earlier one is in force in its place. */
  isBroken(): boolean;
  /** When the list that was not changed for longest was changed; undefined: one is missing. */
  oldestChange(): Promise<Date | undefined>;
  /** Looks whether a file changed. Calls follow one another. */
  reload(): Promise<Reload>;
}

/**
 * A list that lost more than this share at once was cut off on its way here. Each is looked at alone: all of a short
 * one could go unnoticed beside a long one. Open point OP-190.
 */
const MAX_LOST_SHARE = 0.5;

/** One list as it is in force, which is not what its files say while they cannot be used. */
interface KeptList {
  readonly source: ListSource;
  readonly content: ReadList;
  /** The files as they were when they were last read, whether they could be used or not; undefined: read them again. */
  readonly seen: string | undefined;
  /** Why they cannot be used. */
  readonly fault?: ListInvalid;
}

type Read = typeof readList;

/**
 * Throws ListInvalid when a file cannot be used: without lists there is nothing to fall back on. `read`: of one list.
 */
export async function keepLists(
  sources: readonly ListSource[],
  threshold: number,
  read: Read = readList,
): Promise<KeptLists> {
  let lists = await readFirst(sources, read);
  let loaded = await indexLists(contentsOf(lists));
  let current = inForce(loaded, threshold);
  let last: Promise<unknown> = Promise.resolve();

  const look = async (): Promise<Reload> => {
    const [before, after] = [lists, [...lists]];
    for (const [at, list] of before.entries()) {
      const others = after.filter((_, other) => other !== at);
      after[at] = await lookAt(list, others, read);
    }
    const isNew = after.some(({ content }, at) => content !== before[at]?.content);
    if (isNew) {
      loaded = await indexLists(contentsOf(after));
      current = inForce(loaded, threshold);
    }
    lists = after;
    const faults = after.flatMap(({ fault }, at) => (fault && fault !== before[at]?.fault ? [fault] : []));
    // What was told to be broken is told to be right again, also when it is what it was before.
    const isMended = after.some(({ fault }, at) => fault === undefined && before[at]?.fault !== undefined);
    const state = { version: current.version(), entries: loaded.entries };
    if (faults.length > 0) return { outcome: 'broken', ...state, reason: asOne(faults) };
    return { outcome: isNew || isMended ? 'reloaded' : 'unchanged', ...state };
  };

  return {
    version: () => current.version(),
    screen: (subject) => current.screen(subject),
    decide: (subject) => ({ version: current.version(), hits: current.screen(subject) }),
    entries: () => loaded.entries,
    isBroken: () => lists.some(({ fault }) => fault !== undefined),
    oldestChange: () => oldestChange(sources),
    reload: () => {
      const turn = last.then(look);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

async function readFirst(sources: readonly ListSource[], read: Read): Promise<readonly KeptList[]> {
  const lists: KeptList[] = [];
  for (const source of sources) {
    const seen = await traceOf(source);
    lists.push({ source, seen, content: await read(source, contentsOf(lists)) });
  }
  return lists;
}

/** The same object when there is nothing new to tell of it. */
async function lookAt(list: KeptList, others: readonly KeptList[], read: Read): Promise<KeptList> {
  const { source, content: old, fault: known } = list;
  const seen = await traceOf(source);
  if (seen === list.seen) return list;
  try {
    const fresh = await read(source, contentsOf(others));
    refuseCutOff(source, fresh, old);
    return { source, seen, content: fresh.fingerprint === old.fingerprint ? old : fresh };
  } catch (fault) {
    if (!(fault instanceof ListInvalid)) throw fault;
    // Not read again until it changes again: it would be as broken as now.
    if (!fault.isUnread) return { source, seen, content: old, fault };
    // May be read the next time. Told once, not at every look.
    return { source, seen: undefined, content: old, fault: known?.message === fault.message ? known : fault };
  }
}

function contentsOf(lists: readonly KeptList[]): ReadList[] {
  return lists.map(({ content }) => content);
}

function asOne(faults: readonly ListInvalid[]): Error {
  const [first, ...more] = faults;
  return first && more.length === 0
    ? first
    : new AggregateError(faults, faults.map(({ message }) => message).join('; '));
}

/** The threshold decides too, so it is part of the version. */
function inForce({ index, version }: LoadedLists, threshold: number): SenderScreening {
  return listScreening({ index, version: `${version}-${threshold}`, threshold });
}

function refuseCutOff({ path }: ListSource, fresh: ReadList, old: ReadList): void {
  const [now, before] = [fresh.entries.length, old.entries.length];
  if (now >= before * MAX_LOST_SHARE) return;
  throw new ListInvalid({ file: path }, `${now} entries in place of ${before}: restart to use them all the same`);
}

async function oldestChange(sources: readonly ListSource[]): Promise<Date | undefined> {
  const files = (await Promise.all(sources.map(filesOf))).flat();
  const found = await Promise.all(files.map(({ path }) => stat(path).catch(() => undefined)));
  const times = found.flatMap((one) => (one === undefined ? [] : [one.mtimeMs]));
  return times.length === files.length && times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** Size and time of every file. A file that is missing is a trace too. */
async function traceOf(source: ListSource): Promise<string> {
  const files = await filesOf(source).catch(() => []);
  if (files.length === 0) return 'incomplete';
  const found = await Promise.all(files.map(({ path }) => stat(path).catch(() => undefined)));
  return found.map((one, at) => `${files[at]?.path} ${one?.size ?? 'missing'} ${one?.mtimeMs ?? ''}`).join('\n');
}
