/** What is said to a payin provider by a worker that slept over its lease, and to one that is switched off. */
import { describe, expect, it } from 'vitest';
import { aPrompt } from '../../../test/payins/orders.ts';
import { ScriptedPayer } from '../../../test/payins/scripted-payer.ts';
import { Gate } from '../../../test/payouts/turns.ts';
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
  const caller = callerFor(4);
  const perform = (call: PayinCall, takesPrompts?: () => boolean) =>
    performPayinCall(caller, provider, call, clock, takesPrompts);
  return { clock, said, perform };
}

function callerFor(maxCalls: number): PayinCaller {
  const bounds = { timeoutMs: 1_000, maxCalls, silentAfter: 5 };
  return new PayinCaller({ ...bounds, metrics: createMetrics({ process: false }), names: [] });
}

function aCall(over: Partial<PayinCall>): PayinCall {
  const order = aPrompt();
  const leaseEnd = new Date(NOON.getTime() + LEASE_MS);
  return { do: 'ask', mayResend: true, provider: 'first', order, attemptId: order.reference, leaseEnd, ...over };
}

/** Waits for its place behind another call until its lease is over. */
async function behindAnother(call: PayinCall) {
  const clock = manualClock(NOON);
  const caller = callerFor(1);
  const provider = new ScriptedPayer();
  provider.standard({ does: 'ask for the code' });
  const before = aCall({ do: 'prompt' });
  const [reached, gate] = [new Gate(), new Gate()];
  const prompt = provider.prompt.bind(provider);
  provider.prompt = async (order, signal) => {
    reached.open();
    await gate.opened;
    return prompt(order, signal);
  };
  const done = [before, call].map((each) => performPayinCall(caller, provider, each, clock));
  await reached.opened;
  clock.advance(LEASE_MS);
  gate.open();
  const kinds = (await Promise.all(done)).map(({ kind }) => kind);
  return { kinds, calls: provider.calls.map((line) => line.split(' ')[0]) };
}

describe('a prompt that its provider does not know', () => {
  it('has failed where the provider is switched off: it is given no prompts, and the next one may be', async () => {
    const asked = asking(0);
    expect((await asked.perform(aCall({}), () => false)).kind).toBe('failed');
    expect(asked.said).toEqual(['status']);
  });

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

describe('a call that waits for a free place until its lease is over', () => {
  it.each([
    ['prompts nobody', 'prompt', ['prompt']],
    ['hands over no code: a later one may have been since', 'give_otp', ['prompt']],
    ['takes back no prompt', 'cancel', ['prompt', 'status']],
  ] as const)('%s', async (_, what, calls) => {
    expect(await behindAnother(aCall({ do: what, mayResend: false }))).toEqual({
      kinds: ['needs_otp', 'unknown'],
      calls,
    });
  });
});
