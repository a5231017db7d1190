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
  await eventually(what, async () => (await ask()) || undefined, { withinMs });
}

/** Asks again and again until there is an answer. */
export async function eventually<Answer>(
  what: string,
  ask: () => Answer | undefined | Promise<Answer | undefined>,
  { withinMs = MAX_WAIT_MS } = {},
): Promise<Answer> {
  const endMs = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > endMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(LOOK_EVERY_MS);
  }
}
