/**
 * What SIGINT, SIGTERM and SIGHUP ask for. The first asks the program to stop; a later one ends what the program is
 * waiting for, and where it waits for nothing, the program. A terminal that is closed is no reason to end by force:
 * Node.js ends at SIGHUP unless it is heard, under `nohup` too.
 */

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm. What follows so soon is the same wish. */
const SAME_WISH_MS = 1_000;

export interface StopWishes {
  /** Resolves with the name of the first signal. */
  readonly first: Promise<string>;
  isWished(): boolean;
  /** Waits so long, or until something else has happened, or until the next wish. */
  wait(delayMs: number, orUntil: Promise<unknown>): Promise<void>;
}

export function hearStopWishes(): StopWishes {
  let lastAtMs: number | undefined;
  let onNext: (() => void) | undefined;
  const first = new Promise<string>((resolve) => {
    const hear = (signal: string) => {
      const nowMs = performance.now();
      if (lastAtMs !== undefined && nowMs - lastAtMs <= SAME_WISH_MS) return;
      const isFirst = lastAtMs === undefined;
      lastAtMs = nowMs;
      if (isFirst) resolve(signal);
      else if (onNext !== undefined) onNext();
      else process.exit(1);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => hear(signal));
  });
  return {
    first,
    isWished: () => lastAtMs !== undefined,
    async wait(delayMs, orUntil) {
      let timer: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, delayMs);
        onNext = resolve;
      });
      await Promise.race([over, orUntil]);
      clearTimeout(timer);
      onNext = undefined;
    },
  };
}
