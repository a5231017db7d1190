/** Waiting that ends when the caller gives up, and leaves no timer and no listener behind. */

/** True when the time has passed, false when the signal came first. */
export function pause(delayMs: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false);
  if (delayMs <= 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const end = (hasPassed: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(hasPassed);
    };
    const giveUp = () => end(false);
    const timer = setTimeout(() => end(true), delayMs);
    signal.addEventListener('abort', giveUp);
  });
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
