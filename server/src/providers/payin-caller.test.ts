import { expect, it } from 'vitest';
import { aPrompt } from '../../../test/payins/orders.ts';
import { createMetrics } from '../observability/metrics.ts';
import { PayinCaller } from './payin-caller.ts';
import type { PayinProvider } from './payin-provider.ts';

it('a provider leaves prompts when those that were sent got no answer, and not when there was no place for them', async () => {
  const metrics = createMetrics({ process: false });
  const caller = new PayinCaller({ timeoutMs: 50, maxCalls: 1, metrics, names: ['wallet'], silentAfter: 2 });
  const hangs = () => new Promise<never>(() => undefined);
  const provider: PayinProvider = {
    name: 'wallet',
    prompt: hangs,
    status: async () => ({ kind: 'waiting', code: '1' }),
    cancel: async () => ({ kind: 'refused' }),
  };
  await Promise.all([1, 2, 3].map(() => caller.prompt(provider, aPrompt())));
  expect(caller.leavesPrompts('wallet')).toBe(false);
  await caller.prompt(provider, aPrompt());
  expect(caller.leavesPrompts('wallet')).toBe(true);
  await caller.status(provider, aPrompt());
  expect(caller.leavesPrompts('wallet')).toBe(true);
  await caller.cancel(provider, aPrompt());
  expect(caller.leavesPrompts('wallet')).toBe(false);
});

it('answers are counted by the words of the port, and what an adapter makes up as unknown', async () => {
  const metrics = createMetrics({ process: false });
  const caller = new PayinCaller({ timeoutMs: 1_000, maxCalls: 1, metrics, names: ['wallet'], silentAfter: 5 });
  const provider: PayinProvider = {
    name: 'wallet',
    prompt: async () => JSON.parse('{"kind":"of its own making"}'),
    status: async () => ({ kind: 'not_found' }),
    cancel: async () => JSON.parse('null'),
  };
  expect(await caller.prompt(provider, aPrompt())).toMatchObject({ kind: 'unknown' });
  expect(await caller.status(provider, aPrompt())).toEqual({ kind: 'not_found' });
  expect(await caller.cancel(provider, aPrompt())).toMatchObject({ kind: 'unknown' });
  const counted = (await metrics.text())
    .split('\n')
    .filter((line) => /^payferry_payin_answers_total.* [1-9]/.test(line));
  expect(counted.sort()).toEqual([
    'payferry_payin_answers_total{provider="wallet",call="cancel",answer="unknown"} 1',
    'payferry_payin_answers_total{provider="wallet",call="prompt",answer="unknown"} 1',
    'payferry_payin_answers_total{provider="wallet",call="status",answer="not_found"} 1',
  ]);
});
