import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WEBHOOK_RETRIES } from '../kernel/limits.ts';
import { loadSettings } from '../settings/load.ts';
import type { AttemptOutcome } from './delivery.ts';
import { decideNext, isDelivered, scheduleOf } from './schedule.ts';

const AT = new Date('2026-11-15T12:00:00.000Z');
const schedule = { delaysMs: [1_000, 2_000, 4_000, 6_000, 10_000], jitterShare: 0.2 };
const answered = (status: number): AttemptOutcome => ({ kind: 'answered', status, headers: {}, body: '', tookMs: 1 });
const timedOut: AttemptOutcome = { kind: 'timed_out', tookMs: 1 };

function delaysOf(mode: 'sandbox' | 'live'): readonly number[] {
  const live = { mode: 'live', publicUrl: 'https://pay.example' };
  const loaded = loadSettings({ flags: mode === 'live' ? live : {}, env: {}, directory: '/nonexistent' });
  if (!loaded.ok) throw new Error(loaded.mistakes.join());
  const { delaysMs, jitterShare } = scheduleOf(loaded.settings.webhooks);
  return delaysMs.map((delayMs) => delayMs * (1 + jitterShare));
}

describe('the schedule', () => {
  it('of the sandbox ends within 30 seconds, also when chance makes every pause as long as can be', () => {
    const delays = delaysOf('sandbox');
    expect(delays).toHaveLength(WEBHOOK_RETRIES);
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeLessThanOrEqual(30_000);
  });

  it('of live mode has as many pauses, and each is longer than the one before', () => {
    const delays = delaysOf('live');
    expect(delays).toHaveLength(WEBHOOK_RETRIES);
    expect(delays).toEqual([...new Set(delays)].toSorted((one, other) => one - other));
  });

  it('names one pause for each retry, or the program does not start', () => {
    const loaded = loadSettings({ flags: { webhooksRetryDelays: '1s,2s' }, env: {}, directory: '/nonexistent' });
    expect(loaded).toMatchObject({ ok: false, mistakes: [expect.stringContaining('must name 5 pauses')] });
  });
});

describe('an attempt', () => {
  it.each([
    [199, false],
    [200, true],
    [204, true],
    [299, true],
    [300, false],
    [302, false],
    [404, false],
    [500, false],
  ])('that is answered with %i is a success: %s', (status, isSuccess) => {
    expect(isDelivered(answered(status))).toBe(isSuccess);
  });

  it('that failed waits at least its pause and at most that and the jitter; the last one drops the delivery', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempts, chance) => {
          const next = decideNext(timedOut, { attempts, at: AT, chance }, schedule);
          const delayMs = schedule.delaysMs[attempts - 1];
          if (delayMs === undefined) return next.state === 'dropped' && next.reason === 'timed out';
          const waitedMs = (next.nextAttemptAt?.getTime() ?? 0) - AT.getTime();
          return next.state === 'waiting' && waitedMs >= delayMs && waitedMs <= delayMs * 1.2 + 1;
        },
      ),
    );
  });

  it('that succeeded is the end, whichever it was', () => {
    for (let attempts = 1; attempts <= 6; attempts += 1) {
      const next = decideNext(answered(200), { attempts, at: AT, chance: 0.5 }, schedule);
      expect(next).toEqual({ state: 'delivered', reason: null, nextAttemptAt: null });
    }
  });
});
