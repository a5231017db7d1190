/** Does something again and again until it is told to stop. A turn that fails is told about and the next one comes. */
import { setTimeout as sleep } from 'node:timers/promises';

export function every(
  periodMs: number,
  turn: () => Promise<unknown>,
  onFault: (fault: unknown) => void,
  firstAfterMs: number = periodMs,
): () => Promise<void> {
  const stop = new AbortController();
  const running = (async () => {
    for (let pauseMs = firstAfterMs; !stop.signal.aborted; pauseMs = periodMs) {
      await sleep(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      if (!stop.signal.aborted) await turn().catch(onFault);
    }
  })();
  return () => {
    stop.abort();
    return running;
  };
}
