/**
 * Tells people why calls to providers were not answered, or not so that the answer can be used: the first of each kind
 * at once, and then once a minute with how many came in between. A provider that is away has thousands of them.
 */
import type { Log } from '../kernel/log.ts';

export interface Doubt {
  readonly provider: string;
  readonly call: string;
  /** A few words, without anything of the order. */
  readonly why: string;
}

export type TellDoubt = (doubt: Doubt) => void;

const TOLD_EVERY_MS = 60_000;
/** Causes are few; an adapter that makes up a new one for each call is told of all the same. */
const MAX_KINDS = 1_000;

export function openDoubtLog(log: Log, nowMs: () => number = () => performance.now()): TellDoubt {
  const told = new Map<string, { atMs: number; since: number }>();
  return ({ provider, call, why }) => {
    const kind = JSON.stringify([provider, call, why]);
    const last = told.get(kind);
    if (last !== undefined && nowMs() - last.atMs < TOLD_EVERY_MS) {
      last.since += 1;
      return;
    }
    if (told.size >= MAX_KINDS) told.clear();
    told.set(kind, { atMs: nowMs(), since: 0 });
    const before = last === undefined || last.since === 0 ? {} : { not_told_since: last.since };
    log.warn('a call to a provider went wrong', { provider, call, why, ...before });
  };
}
