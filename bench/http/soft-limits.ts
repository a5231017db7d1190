/** What counting a call for the soft limits costs the process, without HTTP: payouts are not counted, reads are. */

import { type SoftLimitContext, SoftLimits } from '../../server/src/soft-limits/counter.ts';
import { limitedGroupOf } from '../../server/src/soft-limits/limits.ts';

const CALLS = 200_000;
const WARM_UP_CALLS = 20_000;
const ACCOUNTS = 64;

/** Microseconds for each call: which limit holds for it, and the count. */
export function measureSoftLimits(ctx: SoftLimitContext): number {
  const limits = new SoftLimits(ctx);
  const accounts = Array.from({ length: ACCOUNTS }, () => crypto.randomUUID());
  const run = (calls: number) => {
    const startedAtMs = performance.now();
    for (let index = 0; index < calls; index += 1) {
      const group = limitedGroupOf('GET', '/v1/accounts');
      if (group !== null) limits.count(group, { accountId: accounts[index % ACCOUNTS] ?? '', objectId: undefined });
    }
    return ((performance.now() - startedAtMs) * 1_000) / calls;
  };
  run(WARM_UP_CALLS);
  return run(CALLS);
}
