/** Lets several sessions go on, one statement at a time; chance says whose. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../server/src/kernel/database.ts';
import type { Chance } from './chance.ts';
import type { Session } from './session.ts';

/** Far more than any schedule takes. */
const MAX_STEPS = 5_000;
/**
 * When all wait for each other, the server ends one of them after a while: looked for this often, at most so many
 * times.
 */
const LOOK_EVERY_MS = 50;
const MAX_LOOKS = 400;
const SHOWN_CHARS = 60;

/** Runs what the sessions have begun to its end. Gives what happened, a line for each step. */
export async function runSchedule(
  sessions: readonly Session[],
  { chance, monitor, trace }: { readonly chance: Chance; readonly monitor: Database; readonly trace: string[] },
): Promise<void> {
  let looks = 0;
  let last: Session | undefined;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const ready: Session[] = [];
    let blocked = 0;
    // Whom the last step set free is known once that step is done.
    await last?.standing(monitor);
    for (const session of sessions) {
      const standing = await session.standing(monitor);
      if (standing === 'ready') ready.push(session);
      if (standing === 'blocked') blocked += 1;
    }
    if (ready.length > 0) {
      const session = chance.of(ready);
      last = session;
      trace.push(`${session.name}: ${shown(session.goOn())}${blocked > 0 ? ` (${blocked} waiting)` : ''}`);
      continue;
    }
    if (blocked === 0) return;
    looks += 1;
    trace.push('all wait for each other');
    if (looks > MAX_LOOKS) throw new Error('the sessions wait for each other for ever');
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error('the schedule does not come to an end');
}

function shown(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARS);
}
