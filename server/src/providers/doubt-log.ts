/**
 * Tells people why calls to providers were not answered, or not so that the answer can be used: the first of each kind
 * at once, and then once a minute with how many came in between. A provider that is away has thousands of them.
 */
import type { Log } from '../kernel/log.ts';
import { Repeats } from '../observability/repeats.ts';

export interface Doubt {
  readonly provider: string;
  readonly call: string;
  /** A few words, without anything of the order. */
  readonly why: string;
}

export type TellDoubt = (doubt: Doubt) => void;

export function openDoubtLog(log: Log, nowMs?: () => number): TellDoubt {
  const repeats = new Repeats(nowMs);
  return ({ provider, call, why }) => {
    const untold = repeats.note(JSON.stringify([provider, call, why]));
    if (untold !== undefined) log.warn('a call to a provider went wrong', { provider, call, why, ...untold });
  };
}
