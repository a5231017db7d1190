/** What is said to a payin provider by a worker that slept over its lease. */
import { describe, expect, it } from 'vitest';
import { aPrompt } from '../../../test/payins/orders.ts';
import { manualClock, NOON } from '../../../test/support/manual-clock.ts';
import { createMetrics } from '../observability/metrics.ts';
import { PayinCaller } from '../providers/payin-caller.ts';
import type { PayinProvider } from '../providers/payin-provider.ts';
import type { PayinCall } from '../transactions/decide-collection.ts';
import { performPayinCall } from './perform-payin-call.ts';

const LEASE_MS = 60_000;

/** It knows of no prompt, and whoever asks it sleeps for so long before the answer is heard. */
function asking(sleepMs: number) {
  const clock = manualClock(NOON);
  const said: string[] = [];
  const provider: PayinProvider = {
    name: 'first',
    prompt: async () => {
      said.push('prompt');
      return { kind: 'waiting' };
    },
    status: async () => {
      said.push('status');
      clock.advance(sleepMs);
      return { kind: 'not_found' };
    },
    cancel: async () => ({ kind: 'refused' }),
  };
  const caller = new PayinCaller({
    timeoutMs: 1_000,
    maxCalls: 4,
    metrics: createMetrics({ process: false }),
    names: [],
  });
  return { clock, said, perform: (call: PayinCall) => performPayinCall(caller, provider, call, clock) };
}

function aCall(over: Partial<PayinCall>): PayinCall {
  const order = aPrompt();
  const leaseEnd = new Date(NOON.getTime() + LEASE_MS);
  return { do: 'ask', mayResend: true, provider: 'first', order, attemptId: order.reference, leaseEnd, ...over };
}

describe('a prompt that its provider does not know', () => {
  it.each([
    ['is sent again', { mayResend: true }, ['status', 'prompt'], 'waiting'],
    ['has failed where it may not be sent again', { mayResend: false }, ['status'], 'failed'],
  ] as const)('%s, a moment before the end of the lease', async (_, over, said, kind) => {
    const asked = asking(LEASE_MS - 1);
    expect((await asked.perform(aCall(over))).kind).toBe(kind);
    expect(asked.said).toEqual(said);
  });

  it.each([{ mayResend: true }, { mayResend: false }, { do: 'cancel' }] as const)(
    'is left to whoever has it by then when the lease is over: %j',
    async (over) => {
      const asked = asking(LEASE_MS);
      expect((await asked.perform(aCall(over))).kind).toBe('unknown');
      expect(asked.said).toEqual(['status']);
    },
  );
});
