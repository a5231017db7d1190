/** The loops of work that a process runs behind the calls, and how they are woken and stopped. */
import type { Context } from '../context.ts';
import type { WakeTopic } from '../kernel/wake.ts';
import { WorkLoop } from '../kernel/work-loop.ts';

export interface Work {
  readonly name: string;
  readonly wokenBy: readonly WakeTopic[];
  /** Does what is due now and tells whether more may be due at once. */
  readonly turn: () => Promise<boolean>;
  /** Resolves when what a turn has begun and left running is finished. */
  readonly settle?: () => Promise<void>;
  /** Is given what wakes its loop, for work that finds out by itself that there is more. */
  readonly onStart?: (wake: () => void) => void;
}

/**
 * Returns what stops them, once however often it is called: no more turns are begun, and those under way are finished.
 * None is begun either while there is a reason why not, such as a clock that is wrong.
 */
export function startWorkers(
  ctx: Context,
  works: readonly Work[],
  whyNot: () => Promise<string | undefined> = async () => undefined,
): () => Promise<void> {
  const stops = works.map((work) => startWork(ctx, work, whyNot));
  let stopping: Promise<void> | undefined;
  return () => {
    stopping ??= Promise.all(stops.map((stop) => stop())).then(() => undefined);
    return stopping;
  };
}

function startWork(ctx: Context, work: Work, whyNot: () => Promise<string | undefined>): () => Promise<void> {
  const turns = ctx.log.turnsOf(work.name);
  const loop = new WorkLoop({
    turn: turns.follow(async () => (await whyNot()) === undefined && work.turn()),
    pollMs: ctx.settings.workers.pollMs,
    onFault: turns.failed,
  });
  const forget = work.wokenBy.map((topic) => ctx.wake.on(topic, () => loop.wake()));
  work.onStart?.(() => loop.wake());
  loop.start();
  return async () => {
    for (const stopHearing of forget) stopHearing();
    await loop.stop();
    await work.settle?.();
  };
}
