/** Waiting for what another process, or a worker beside the test, does in its own time. */
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 25;

/** Asks again and again until the answer is true. */
export async function until(
  what: string,
  ask: () => boolean | Promise<boolean>,
  { withinMs = MAX_WAIT_MS } = {},
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await ask())) {
    if (performance.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
