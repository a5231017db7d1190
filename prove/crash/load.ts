/** The load: customers that lead one life after the other, at a bounded pace, until they are told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../test/http/hostile-requests.ts';
import type { CustomerParts } from './customer.ts';
import { LIVES } from './lives.ts';

export interface Load {
  /** Rejects at the first thing that a customer should not have seen. */
  readonly failed: Promise<never>;
  /** No new lives; resolves when those under way are over. */
  stop(): Promise<void>;
}

/** Lives that each customer leads at once. */
const LIVES_AT_ONCE = 4;
const PAUSE_MS = 40;

export function startLoad(customers: readonly CustomerParts[], seed: number): Load {
  let isStopping = false;
  const random = randomFrom(seed);
  const live = async (customer: CustomerParts) => {
    while (!isStopping) {
      await random.pick(LIVES)({ ...customer, random });
      await sleep(random.below(2 * PAUSE_MS));
    }
  };
  const all = customers.flatMap((customer) => Array.from({ length: LIVES_AT_ONCE }, () => live(customer)));
  const done = Promise.all(all);
  const failed = new Promise<never>((_, reject) => {
    done.catch(reject);
  });
  failed.catch(() => undefined);
  return {
    failed,
    stop: async () => {
      isStopping = true;
      await done;
    },
  };
}
