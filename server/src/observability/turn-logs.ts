/**
 * The log of work that is done in turns. While the database is away every loop fails twice a second, all by the same
 * cause: that is told at once, then once a minute with how many turns failed and of which work, and one line says when
 * it is over. Whoever flickers gets no more lines: what ended untold ends untold.
 */
import type { Log, TurnLog } from '../kernel/log.ts';
import { describeFault } from './fault.ts';
import { Repeats } from './repeats.ts';

interface Trouble {
  readonly cause: string;
  readonly sinceMs: number;
  /** Whose last turn failed by it. */
  readonly works: Set<string>;
  /** Also those that fail no more. */
  readonly everyWork: Set<string>;
  turns: number;
  isTold: boolean;
}

const MS_PER_SECOND = 1_000;

export function openTurnLogs(
  log: Pick<Log, 'info' | 'warn'>,
  nowMs: () => number = () => performance.now(),
): (work: string) => TurnLog {
  const logs = new TurnLogs(log, nowMs);
  return (work) => ({
    follow: (turn) => {
      logs.follow(work);
      return async () => {
        const answer = await turn();
        logs.went(work);
        return answer;
      };
    },
    failed: (fault) => logs.failed(work, fault),
  });
}

class TurnLogs {
  readonly #log: Pick<Log, 'info' | 'warn'>;
  readonly #nowMs: () => number;
  readonly #repeats: Repeats;
  /** Work of which is also heard when it goes well: the others have no end to tell of. */
  readonly #followed = new Set<string>();
  readonly #troubles = new Map<string, Trouble>();
  /** Causes that were told of work that is not followed: who follows it and fails by one has its end to tell. */
  readonly #toldAlone = new Set<string>();
  /** By work. */
  readonly #troubleOf = new Map<string, Trouble>();

  constructor(log: Pick<Log, 'info' | 'warn'>, nowMs: () => number) {
    this.#log = log;
    this.#nowMs = nowMs;
    this.#repeats = new Repeats(nowMs);
  }

  follow(work: string): void {
    this.#followed.add(work);
  }

  failed(work: string, fault: unknown): void {
    const { fault: text, cause: below } = describeFault(fault);
    const cause = below === undefined ? String(text) : `${text} <- ${below}`;
    const trouble = this.#followed.has(work) ? this.#enter(work, cause) : undefined;
    if (trouble !== undefined) trouble.turns += 1;
    const untold = this.#repeats.note(cause);
    if (untold === undefined) return;
    if (trouble === undefined) this.#toldAlone.add(cause);
    else trouble.isTold = true;
    const others = trouble === undefined || trouble.works.size < 2 ? {} : { works: namesOf(trouble.works) };
    this.#log.warn(work, { ...others, ...untold }, fault);
  }

  went(work: string): void {
    const trouble = this.#leave(work);
    if (trouble === undefined || trouble.works.size > 0 || !trouble.isTold) return;
    const { cause, everyWork, turns, sinceMs } = trouble;
    const seconds = Math.round((this.#nowMs() - sinceMs) / MS_PER_SECOND);
    this.#log.info('work goes on again', { after: cause, works: namesOf(everyWork), failed_turns: turns, seconds });
  }

  /** A work that fails by another cause than before leaves the one before without a word: it does not go on yet. */
  #enter(work: string, cause: string): Trouble {
    const before = this.#troubleOf.get(work);
    if (before?.cause === cause) return before;
    this.#leave(work);
    const trouble = this.#troubles.get(cause) ?? newTrouble(cause, this.#nowMs(), this.#toldAlone.delete(cause));
    trouble.works.add(work);
    trouble.everyWork.add(work);
    this.#troubles.set(cause, trouble);
    this.#troubleOf.set(work, trouble);
    return trouble;
  }

  #leave(work: string): Trouble | undefined {
    const trouble = this.#troubleOf.get(work);
    if (trouble === undefined) return undefined;
    this.#troubleOf.delete(work);
    trouble.works.delete(work);
    if (trouble.works.size === 0) this.#troubles.delete(trouble.cause);
    return trouble;
  }
}

function newTrouble(cause: string, sinceMs: number, isTold: boolean): Trouble {
  return { cause, sinceMs, works: new Set(), everyWork: new Set(), turns: 0, isTold };
}

function namesOf(works: ReadonlySet<string>): string {
  return [...works].sort().join(', ');
}
