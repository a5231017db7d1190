/** Time limits on what others do: they are told to stop, and nobody waits for them whether they listen or not. */

export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

/** Rejects with GivenUp when the time is over. No timer is left behind; a late result or fault is let go. */
export async function within<T>(limitMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new GivenUp('no answer in time');
      controller.abort(reason);
      reject(reason);
    }, limitMs);
  });
  try {
    return await Promise.race([run(controller.signal), givenUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether it came to its end in time. */
export async function endsWithin(limitMs: number, end: Promise<unknown>): Promise<boolean> {
  try {
    await within(limitMs, () => end);
    return true;
  } catch (fault) {
    if (fault instanceof GivenUp) return false;
    throw fault;
  }
}
