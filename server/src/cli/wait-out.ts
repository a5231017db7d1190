/**
 * Goes on while the service is away for a moment, as it is when it is replaced or started anew. For calls that read.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from './json.ts';
import type { OperatorCall } from './operator-client.ts';
import { callOperator, type OperatorFlags } from './operator-command.ts';

const AWAY_MAX_SECONDS = 120;
const TRY_EVERY_MS = 1_000;

/** The body of the answer, as `callOperator` gives it. That it waits, and no longer, is said on standard error. */
export async function callPatiently(flags: OperatorFlags, call: OperatorCall): Promise<Json> {
  let endMs: number | undefined;
  for (;;) {
    try {
      const body = await callOperator(flags, call);
      if (endMs !== undefined) console.error('It is back.');
      return body;
    } catch (fault) {
      const { mayPass } = await import('./operator-client.ts');
      if (!mayPass(fault) || performance.now() > (endMs ?? Number.POSITIVE_INFINITY)) throw fault;
      if (endMs === undefined) console.error(`${fault.message}\nWaiting for it, ${AWAY_MAX_SECONDS} seconds at most.`);
      endMs ??= performance.now() + AWAY_MAX_SECONDS * 1_000;
    }
    await sleep(TRY_EVERY_MS);
  }
}
