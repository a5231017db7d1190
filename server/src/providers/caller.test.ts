import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { anOrder } from '../../../test/providers/orders.ts';
import { manualClock, NOON } from '../../../test/support/manual-clock.ts';
import { createMetrics } from '../observability/metrics.ts';
import { ProviderCaller } from './caller.ts';
import type { Doubt } from './doubt-log.ts';
import { HealthBoard } from './health-board.ts';
import type { PayoutAnswer, PayoutProvider } from './payout-provider.ts';

/** No round number: the timers of calls are known by it. */
const TIMEOUT_MS = 1_026;
const RULES = { pauseAfter: 3, probeEveryMs: 1_000, probeMaxMs: 5_000 };

function providerThat(submit: PayoutProvider['submit'], over: Partial<PayoutProvider> = {}): PayoutProvider {
  return { name: 'bank', submit, status: async () => ({ kind: 'not_found' }), probe: async () => true, ...over };
}

function setUp(maxCalls = 2) {
  const metrics = createMetrics({ process: false });
  const health = new HealthBoard({ names: ['bank'], clock: manualClock(NOON), rules: RULES });
  health.showIn(metrics);
  const doubts: string[] = [];
  const tellDoubt = ({ provider, call, why }: Doubt) => doubts.push(`${provider} ${call}: ${why}`);
  const caller = new ProviderCaller({ timeoutMs: TIMEOUT_MS, maxCalls, metrics, health, tellDoubt });
  return { metrics, health, doubts, caller };
}

const forever = () => new Promise<PayoutAnswer>(() => undefined);
const paid: PayoutAnswer = { kind: 'paid' };

/**
 * Timers of calls that have neither gone off nor been taken back. Others, of whoever shares the process, do not count.
 */
const left = new Set<unknown>();
const isOfCalls = (delayMs: unknown) => delayMs === TIMEOUT_MS || delayMs === TIMEOUT_MS / 2;

beforeEach(() => {
  vi.useFakeTimers();
  left.clear();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, delayMs) => {
    const timer = set(() => {
      left.delete(timer);
      run();
    }, delayMs);
    if (isOfCalls(delayMs)) left.add(timer);
    return timer;
  });
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    left.delete(timer);
    clear(timer);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  // Whatever a call was, it leaves no timer behind.
  expect(left.size).toBe(0);
});

describe('the answer to a call', () => {
  it('is what the provider says', async () => {
    const { caller } = setUp();
    const failed = { kind: 'failed', code: '416' } as const;
    await expect(
      caller.submit(
        providerThat(async () => failed),
        anOrder(),
      ),
    ).resolves.toBe(failed);
    await expect(caller.status(providerThat(forever), anOrder())).resolves.toEqual({ kind: 'not_found' });
  });

  it('is unknown when none comes in time, and the provider is told to stop', async () => {
    const { caller } = setUp();
    let given: AbortSignal | undefined;
    const answer = caller.submit(
      providerThat((_, signal) => {
        given = signal;
        return forever();
      }),
      anOrder(),
    );
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    expect(given?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await expect(answer).resolves.toEqual({ kind: 'unknown', why: 'no answer in time' });
    expect(given?.aborted).toBe(true);
  });

  it.each([
    ['is thrown', async () => Promise.reject(new TypeError('Ada Example, account 123'))],
    [
      'is thrown at once',
      () => {
        throw new TypeError('Ada Example, account 123');
      },
    ],
  ])('is unknown when a fault %s, without the words of the fault', async (_, submit) => {
    const { caller, doubts } = setUp();
    const answer = await caller.submit(providerThat(submit), anOrder());
    expect(answer).toEqual({ kind: 'unknown', why: 'fault: TypeError' });
    expect(doubts).toEqual(['bank submit: fault: TypeError']);
  });

  it('is told with its cause where the provider is down, and not where it says anything about the order', async () => {
    const { caller, doubts } = setUp();
    const says = (answer: PayoutAnswer) =>
      caller.submit(
        providerThat(async () => answer),
        anOrder(),
      );
    await says({ kind: 'failed', code: '3', isDown: true, why: 'CERT_HAS_EXPIRED' });
    await says({ kind: 'failed', code: '3' });
    await says({ kind: 'pending' });
    expect(doubts).toEqual(['bank submit: CERT_HAS_EXPIRED']);
  });

  it.each([
    undefined,
    null,
    {},
    { kind: 'not_found' },
    { kind: 'success' },
    { kind: 'failed' },
    { kind: 'failed', code: 416 },
    { kind: 'failed', code: '4\u0000' },
    { kind: 'pending', code: {} },
  ])('is unknown when the adapter says %j', async (said) => {
    const submit = async () => JSON.parse(JSON.stringify(said ?? null));
    const answer = await setUp().caller.submit(providerThat(submit), anOrder());
    expect(answer).toMatchObject({ kind: 'unknown' });
  });

  it('is a refusal where a provider can neither cancel nor change', async () => {
    const { caller } = setUp();
    expect(await caller.cancel(providerThat(forever), anOrder())).toEqual({ kind: 'refused' });
    expect(await caller.update(providerThat(forever), anOrder())).toEqual({ kind: 'refused' });
  });
});

describe('many calls', () => {
  it('wait for a free place, in their order', async () => {
    const { caller } = setUp(2);
    const open: ((answer: PayoutAnswer) => void)[] = [];
    const provider = providerThat(() => new Promise((resolve) => open.push(resolve)));
    const answers = [1, 2, 3, 4].map(() => caller.submit(provider, anOrder()));
    await vi.advanceTimersByTimeAsync(0);
    expect(open).toHaveLength(2);
    expect(caller.room(provider)).toBe(0);
    open[0]?.(paid);
    await vi.advanceTimersByTimeAsync(0);
    expect(open).toHaveLength(3);
    open[1]?.(paid);
    await vi.advanceTimersByTimeAsync(0);
    for (const answer of open) answer(paid);
    expect(await Promise.all(answers)).toEqual([paid, paid, paid, paid]);
    expect(caller.room(provider)).toBe(2);
  });

  it('that find no place in time were never sent, and say nothing about the provider', async () => {
    const { caller, health } = setUp(1);
    let sent = 0;
    const provider = providerThat(() => {
      sent += 1;
      return forever();
    });
    const answers = Promise.all([1, 2, 3, 4, 5].map(() => caller.submit(provider, anOrder())));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect((await answers).map(({ kind }) => kind)).toEqual(Array(5).fill('unknown'));
    expect(sent).toBe(1);
    expect(health.of('bank').state).toBe('open');
    expect(caller.room(provider)).toBe(1);
  });

  it('to one provider do not hold up another', async () => {
    const { caller } = setUp(1);
    const stuck = caller.submit(providerThat(forever), anOrder());
    expect(
      await caller.submit(
        providerThat(async () => paid, { name: 'other' }),
        anOrder(),
      ),
    ).toBe(paid);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    await stuck;
  });
});

describe('the health of a provider', () => {
  const down = providerThat(async () => ({ kind: 'failed', code: '3', isDown: true }), { probe: async () => false });

  it('follows from its answers', async () => {
    const { caller, health } = setUp();
    for (const reference of ['a', 'b', 'c']) {
      expect(health.of('bank').state).toBe('open');
      await caller.submit(down, anOrder({ reference }));
    }
    expect(health.of('bank').state).toBe('paused');
    expect(await caller.probe(down)).toBe(false);
    expect(health.of('bank')).toMatchObject({ state: 'paused', probes: 1 });
    expect(await caller.probe(providerThat(forever))).toBe(true);
    expect(health.of('bank').state).toBe('open');
  });

  it('is not mended by a question that is not answered, or goes wrong', async () => {
    const { caller, health } = setUp();
    for (const reference of ['a', 'b', 'c']) await caller.submit(down, anOrder({ reference }));
    const asked = caller.probe(providerThat(forever, { probe: () => new Promise<boolean>(() => undefined) }));
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await asked).toBe(false);
    expect(await caller.probe(providerThat(forever, { probe: async () => Promise.reject(new Error('no')) }))).toBe(
      false,
    );
    expect(health.of('bank').state).toBe('paused');
  });

  it('is asked for when the time has come', async () => {
    const clock = manualClock(NOON);
    const health = new HealthBoard({ names: ['bank', 'other'], clock, rules: RULES });
    for (const reference of ['a', 'b', 'c']) health.tellAnswer('bank', { sign: 'silent', reference });
    expect(health.dueProbes()).toEqual([]);
    clock.advance(1_000);
    expect(health.dueProbes()).toEqual(['bank']);
    health.hold('bank', 'grace');
    expect(health.dueProbes()).toEqual([]);
    expect(health.standings().map((one) => `${one.provider} ${one.health.state}`)).toEqual(['bank held', 'other open']);
    health.release('bank');
    expect(health.of('bank').state).toBe('open');
  });
});

describe('a provider that leaves orders without an answer', () => {
  const silent = providerThat(async () => ({ kind: 'unknown', why: 'no answer' }));

  it('does so until it answers one, whatever it answers to questions', async () => {
    const { caller, health } = setUp();
    for (const expected of [false, false, true]) {
      await caller.submit(silent, anOrder());
      expect(health.leavesOrders('bank')).toBe(expected);
    }
    await caller.status(silent, anOrder());
    await caller.probe(silent);
    expect([health.of('bank').state, health.leavesOrders('bank')]).toEqual(['open', true]);
    await caller.submit(
      providerThat(async () => ({ kind: 'failed', code: '416' })),
      anOrder(),
    );
    expect(health.leavesOrders('bank')).toBe(false);
  });

  it('is not known by orders that were never sent, and is forgotten when an operator resumes it', async () => {
    const { caller, health } = setUp();
    const mayBegin = () => false;
    for (let order = 0; order < RULES.pauseAfter; order += 1) await caller.submit(silent, anOrder(), mayBegin);
    expect(health.leavesOrders('bank')).toBe(false);
    for (let order = 0; order < RULES.pauseAfter; order += 1) await caller.submit(silent, anOrder());
    expect(health.leavesOrders('bank')).toBe(true);
    health.release('bank');
    expect(health.leavesOrders('bank')).toBe(false);
  });
});

it('calls are counted by what was answered, and providers shown with their state', async () => {
  const { caller, metrics, health } = setUp();
  await caller.submit(
    providerThat(async () => paid),
    anOrder(),
  );
  await caller.submit(
    providerThat(async () => ({ kind: 'failed', code: '3', isDown: true })),
    anOrder(),
  );
  await caller.status(providerThat(forever), anOrder());
  await caller.probe(providerThat(forever));
  health.hold('bank', 'grace');
  const text = await metrics.text();
  for (const line of [
    'payferry_provider_answers_total{provider="bank",call="submit",answer="paid"} 1',
    'payferry_provider_answers_total{provider="bank",call="submit",answer="down"} 1',
    'payferry_provider_answers_total{provider="bank",call="status",answer="not_found"} 1',
    'payferry_provider_answers_total{provider="bank",call="probe",answer="up"} 1',
    'payferry_provider_call_seconds_count{provider="bank",call="submit"} 2',
    'payferry_provider_state{provider="bank",state="held"} 1',
    'payferry_provider_state{provider="bank",state="open"} 0',
  ]) {
    expect(text).toContain(line);
  }
});
