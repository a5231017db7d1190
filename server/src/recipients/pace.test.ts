/** When a provider is asked and a recipient tried again: at the pace of the settings, spread by a tenth at most. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, POLICY } from '../../../test/support/recipients.ts';
import { readReference, referenceOf } from './attempt.ts';
import { isSilent, nextAskAt, nextLookAt, nextTryAt } from './pace.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const delayOf = (at: Date) => at.getTime() - NOON.getTime();
const uuids = fc.uuid();

describe('the next try', () => {
  it.each([
    ['temporary_error', 1, 5 * MINUTE_MS],
    ['temporary_error', 2, 10 * MINUTE_MS],
    ['temporary_error', 10_000, HOUR_MS],
    ['temporary_error', 0, 5 * MINUTE_MS],
    ['recipient_error', 1, 4 * HOUR_MS],
    ['recipient_error', 40, 4 * HOUR_MS],
    ['sender_error', 3, 6 * HOUR_MS],
  ] as const)('after %s number %d comes after %d ms, or up to a tenth later', (category, errorCount, delayMs) => {
    fc.assert(
      fc.property(uuids, (attemptId) => {
        const delay = delayOf(nextTryAt(anAttempt({ attemptId }), { category, errorCount }, NOON, POLICY));
        expect(delay).toBeGreaterThanOrEqual(delayMs);
        expect(delay).toBeLessThanOrEqual(delayMs * 1.1);
      }),
    );
  });

  it('is the same for the same attempt, and not for another', () => {
    const failure = { category: 'temporary_error', errorCount: 1 } as const;
    const at = (attemptId: string) => nextTryAt(anAttempt({ attemptId }), failure, NOON, POLICY).getTime();
    expect(at('0b8f9a52-6d7e-7000-8000-00000000000a')).toBe(at('0b8f9a52-6d7e-7000-8000-00000000000a'));
    expect(at('0b8f9a52-6d7e-7000-8000-0000ff00000a')).not.toBe(at('0b8f9a52-6d7e-7000-8000-00000000000a'));
  });

  it('stays below the number of errors before manual for a day', () => {
    // The first hour doubles from five minutes; then one each hour.
    const perDay = 5 + 24;
    expect(perDay).toBeLessThan(POLICY.errorsBeforeManual);
  });
});

describe('the next question', () => {
  it.each([
    [0, 5_000],
    [1, 10_000],
    [3, 40_000],
    [1_000, 5 * MINUTE_MS],
  ])('after %d comes after %d ms, or up to a tenth later', (asks, delayMs) => {
    const delay = delayOf(nextAskAt(anAttempt({ asks }), NOON, POLICY));
    expect(delay).toBeGreaterThanOrEqual(delayMs);
    expect(delay).toBeLessThanOrEqual(delayMs * 1.1);
  });
});

describe('silence', () => {
  const ago = (ms: number) => new Date(NOON.getTime() - ms);
  it.each([
    [ago(POLICY.stuckAfterMs), null, true],
    [ago(POLICY.stuckAfterMs - 1), null, false],
    [ago(10 * HOUR_MS), ago(1), false],
    [ago(10 * HOUR_MS), ago(POLICY.stuckAfterMs), true],
  ])('is counted from what was last heard', (startedAt, heardAt, isLong) => {
    expect(isSilent(anAttempt({ startedAt, heardAt }), NOON, POLICY)).toBe(isLong);
  });
});

describe('the reference of an attempt', () => {
  it('names its account and itself, in letters that every provider takes', () => {
    fc.assert(
      fc.property(uuids, uuids, (accountId, attemptId) => {
        const reference = referenceOf({ accountId, attemptId });
        expect(reference).toMatch(/^[A-Za-z0-9_-]{43}$/);
        expect(readReference(reference)).toEqual({ accountId, attemptId });
      }),
    );
  });

  it.each(['', 'x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}\n`])(
    'is not read from %j',
    (text) => expect(readReference(text)).toBeUndefined(),
  );
});

describe('the next look for a provider', () => {
  it.each([
    ['just now', 0, 5_000],
    ['five minutes ago', 5 * MINUTE_MS, 5_000],
    ['an hour ago', HOUR_MS, MINUTE_MS],
    ['a day ago', 24 * HOUR_MS, 5 * MINUTE_MS],
  ])('of one that waits since %s', (_, waitedMs, delayMs) => {
    const since = new Date(NOON.getTime() - waitedMs);
    fc.assert(
      fc.property(uuids, (id) => {
        const delay = delayOf(nextLookAt({ id, since }, NOON));
        expect(delay).toBeGreaterThanOrEqual(delayMs);
        expect(delay).toBeLessThanOrEqual(delayMs * 1.1);
      }),
    );
  });
});
