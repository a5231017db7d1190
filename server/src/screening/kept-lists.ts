/**
 * Lists that stay current: looks at the files when it is told to, reads all again when one of them changed, and puts the
 * new index in place of the old one in a single step. What cannot be read leaves the old one in force.
 */
import { stat } from 'node:fs/promises';
import { ListInvalid } from './list-entry.ts';
import { listScreening } from './list-screening.ts';
import { filesOf, type ListSource, type LoadedLists, loadLists } from './load-lists.ts';
import type { Hit, ScreenedSubject, SenderScreening } from './sender-screening.ts';

interface Reload {
  /** Broken: a file changed and cannot be used; `reason` says why. */
  readonly outcome: 'unchanged' | 'reloaded' | 'broken';
  /** The version in force afterwards. */
  readonly version: string;
  readonly entries: number;
  readonly reason?: ListInvalid;
}

export interface KeptLists extends SenderScreening {
  /** The hits with the version by which they were found: what a decision is stored with. */
  decide(subject: ScreenedSubject): { readonly version: string; readonly hits: readonly Hit[] };
  /** How many entries all lists have together. */
  entries(): number;
  /** Whether the files are as they were when they were last read, and could not be used: earlier ones are in force. */
  isBroken(): boolean;
  /** When the list that was not changed for longest was changed; undefined: one is missing. */
  oldestChange(): Promise<Date | undefined>;
  /** Looks whether a file changed. Calls follow one another. */
  reload(): Promise<Reload>;
}

/**
 * A list that lost more than this share at once was cut off on its way here. Each is looked at alone: all of a short one
 * could go unnoticed beside a long one. Open point OP-190.
 */
const MAX_LOST_SHARE = 0.5;

/** Throws ListInvalid when a file cannot be used: without lists there is nothing to fall back on. */
export async function keepLists(sources: readonly ListSource[], threshold: number): Promise<KeptLists> {
  let seen = await traceOf(sources);
  let loaded = await loadLists(sources);
  let current = inForce(loaded, threshold);
  let last: Promise<unknown> = Promise.resolve();
  let isBroken = false;

  const look = async (): Promise<Reload> => {
    const trace = await traceOf(sources);
    const state = () => ({ version: current.version(), entries: loaded.entries });
    if (trace === seen) return { outcome: 'unchanged', ...state() };
    try {
      const fresh = await loadLists(sources);
      refuseCutOff(sources, fresh, loaded);
      // What was told to be broken is told to be right again, also when it is what it was before.
      const outcome = fresh.version === loaded.version && !isBroken ? 'unchanged' : 'reloaded';
      loaded = fresh;
      current = inForce(fresh, threshold);
      seen = trace;
      isBroken = false;
      return { outcome, ...state() };
    } catch (fault) {
      if (!(fault instanceof ListInvalid)) throw fault;
      // Not read again until it changes again: it would be as broken as now.
      seen = trace;
      isBroken = true;
      return { outcome: 'broken', ...state(), reason: fault };
    }
  };

  return {
    version: () => current.version(),
    screen: (subject) => current.screen(subject),
    decide: (subject) => ({ version: current.version(), hits: current.screen(subject) }),
    entries: () => loaded.entries,
    isBroken: () => isBroken,
    oldestChange: () => oldestChange(sources),
    reload: () => {
      const turn = last.then(look);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** The threshold decides too, so it is part of the version. */
function inForce({ index, version }: LoadedLists, threshold: number): SenderScreening {
  return listScreening({ index, version: `${version}-${threshold}`, threshold });
}

function refuseCutOff(sources: readonly ListSource[], fresh: LoadedLists, old: LoadedLists): void {
  for (const [at, { path }] of sources.entries()) {
    const [now = 0, before = 0] = [fresh.entriesOf[at], old.entriesOf[at]];
    if (now >= before * MAX_LOST_SHARE) continue;
    throw new ListInvalid({ file: path }, `${now} entries in place of ${before}: restart to use them all the same`);
  }
}

async function oldestChange(sources: readonly ListSource[]): Promise<Date | undefined> {
  const files = (await Promise.all(sources.map(filesOf))).flat();
  const found = await Promise.all(files.map(({ path }) => stat(path).catch(() => undefined)));
  const times = found.flatMap((one) => (one === undefined ? [] : [one.mtimeMs]));
  return times.length === files.length && times.length > 0 ? new Date(Math.min(...times)) : undefined;
}

/** Size and time of every file. A file that is missing is a trace too. */
async function traceOf(sources: readonly ListSource[]): Promise<string> {
  const lines: string[] = [];
  for (const source of sources) {
    const files = await filesOf(source).catch(() => []);
    for (const { path } of files) {
      const found = await stat(path).catch(() => undefined);
      lines.push(`${path} ${found?.size ?? 'missing'} ${found?.mtimeMs ?? ''}`);
    }
    if (files.length === 0) lines.push(`${source.path} incomplete`);
  }
  return lines.join('\n');
}
