/**
 * Keeps the server running as long as the program runs: when it dies it is started again in the same place, so that
 * connections made with the same values work again. Tries are bounded and ever further apart; a server that stayed
 * up for a while starts the count anew.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './faults.ts';
import type { Latest } from './latest.ts';
import { type LaunchPlan, launchUntilReady, type RunningServer } from './launch.ts';
import type { ServerProcess } from './server-process.ts';
import { shutDown } from './shutdown.ts';

export type ServerEvent =
  | { readonly kind: 'exited'; readonly pid: number; readonly how: string }
  | { readonly kind: 'restarted'; readonly pid: number }
  | { readonly kind: 'restart_failed'; readonly reason: string }
  /** Nothing is tried any more: the program should end. */
  | { readonly kind: 'gave_up' };

export interface Keeper {
  /** Stops the server and the watch over it. */
  stop(): Promise<void>;
}

const RESTART_TRIES = 10;
const RESTART_PAUSE_MS = { first: 50, most: 5_000 } as const;
/** A server that lived this long had started well: what ended it afterwards is another matter. */
const STEADY_MS = 3_000;

export function keepRunning(
  plan: LaunchPlan,
  first: RunningServer,
  latest: Latest,
  onEvent: (event: ServerEvent) => void,
): Keeper {
  const stopping = new AbortController();
  const watching = watch(plan, first, stopping.signal, onEvent);

  async function stopLatest(): Promise<void> {
    if (latest.process !== undefined) await shutDown(plan.binaries, latest.process);
  }
  return {
    async stop() {
      stopping.abort();
      await stopLatest();
      await watching;
      // A restart that was under way may have started one more process before it saw the end coming.
      await stopLatest();
    },
  };
}

async function watch(
  plan: LaunchPlan,
  first: RunningServer,
  stopping: AbortSignal,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  let server = first.process;
  let readySinceMs = performance.now();
  let tries = 0;
  for (;;) {
    const { how } = await server.exited;
    if (stopping.aborted) return;
    onEvent({ kind: 'exited', pid: server.pid, how });
    if (performance.now() - readySinceMs > STEADY_MS) tries = 0;
    let next: ServerProcess | undefined;
    while (next === undefined) {
      if (tries >= RESTART_TRIES) return onEvent({ kind: 'gave_up' });
      await pause(Math.min(RESTART_PAUSE_MS.first * 2 ** tries, RESTART_PAUSE_MS.most), stopping);
      tries += 1;
      if (stopping.aborted) return;
      try {
        next = (await launchUntilReady(plan, async () => first.transport, stopping)).process;
      } catch (fault) {
        if (stopping.aborted) return;
        onEvent({ kind: 'restart_failed', reason: messageOf(fault) });
      }
    }
    server = next;
    readySinceMs = performance.now();
    onEvent({ kind: 'restarted', pid: server.pid });
  }
}

async function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch(() => undefined);
}
