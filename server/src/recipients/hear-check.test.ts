/** What a check makes of a recipient, in each state in which it can be checked. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { aRecipient, POLICY } from '../../../test/support/recipients.ts';
import type { Verdict } from '../account-checks/verdict.ts';
import { withoutCheck } from './effects.ts';
import { hearCheck } from './hear-check.ts';

const CHECK_ID = '0b8f9a52-6d7e-7000-8000-000000000009';
const STATES = ['initial', 'error', 'manual'] as const;
const found = { provider_name_validation: { 'valid?': true, account_name: 'OBI' } };
const match: Verdict = { kind: 'match', of: 'name', found };
const unverified: Verdict = { kind: 'unverified' };
const mismatch = (of: 'name' | 'telco' | 'status'): Verdict => ({ kind: 'mismatch', of, found });

function heard(verdict: Verdict, over: Parameters<typeof aRecipient>[0] = {}, newsAt: Date | null = null) {
  const claimed = { checkId: CHECK_ID, isClaimed: true, metadata: { kept: 1 }, errorCount: 2 };
  const recipient = aRecipient({ state: 'initial', ...claimed, ...over });
  return hearCheck({ recipient, verdict, newsAt, now: NOON, policy: POLICY });
}

describe.each(STATES)('a recipient in %s', (state) => {
  it('that passes is tried at once, and stays what it was until then', () => {
    const { recipient, events, money } = heard(match, { state, checkFailures: 3 });
    expect(recipient).toMatchObject({ state, isChecked: true, nextAttemptAt: NOON, checkFailures: 0, errorCount: 2 });
    expect([recipient.metadata, events, money]).toEqual([{ kept: 1, ...found }, [], []]);
  });

  it.each([
    ['name', '44'],
    ['telco', '413'],
    ['status', '432'],
  ] as const)('with another %s is in error with code %s and waits', (of, code) => {
    const { recipient, events, money } = heard(mismatch(of), { state });
    expect(recipient).toMatchObject({ state: 'error', isChecked: false, nextAttemptAt: null, errorCount: 2 });
    expect(recipient.stateReasonDetails).toMatchObject({ code, category: 'recipient_error' });
    expect(recipient.stateReasonDetails?.description).toBe(recipient.stateReason);
    expect([recipient.metadata, events, money]).toEqual([{ kept: 1, ...found }, ['recipient.error'], []]);
  });

  it('that nobody could verify is in error, is checked again, and comes no nearer to manual', () => {
    const { recipient, events } = heard(unverified, { state });
    expect(recipient).toMatchObject({ state: 'error', isChecked: false, errorCount: 2, checkFailures: 1 });
    expect(recipient.stateReasonDetails).toMatchObject({ code: '3', category: 'temporary_error' });
    expect([recipient.metadata, events]).toEqual([{ kept: 1 }, ['recipient.error']]);
  });

  it.each([match, mismatch('name'), unverified])('is not claimed any more after %j', (verdict) => {
    expect(heard(verdict, { state }).recipient).toMatchObject({ checkId: null, isClaimed: false });
  });
});

describe('the next look at an account that nobody could verify', () => {
  const delayMs = (checkFailures: number) =>
    Number(heard(unverified, { checkFailures }).recipient.nextAttemptAt) - NOON.getTime();

  it('is later each time, up to the longest pause of temporary errors', () => {
    const { retryTemporaryMs: firstMs, retryTemporaryLongestMs: longestMs } = POLICY;
    for (const [failures, baseMs] of [
      [0, firstMs],
      [1, 2 * firstMs],
      [2, 4 * firstMs],
      [50, longestMs],
    ] as const) {
      expect(delayMs(failures)).toBeGreaterThanOrEqual(baseMs);
      expect(delayMs(failures)).toBeLessThanOrEqual(baseMs * 1.1);
    }
  });

  it('comes no later than news that a provider has announced', () => {
    const newsAt = new Date(NOON.getTime() + 1_000);
    expect(heard(unverified, {}, newsAt).recipient.nextAttemptAt).toEqual(newsAt);
    expect(heard(mismatch('name'), {}, newsAt).recipient.nextAttemptAt).toEqual(newsAt);
    const late = new Date(NOON.getTime() + 86_400_000);
    expect(heard(unverified, {}, late).recipient.nextAttemptAt).not.toEqual(late);
  });
});

it('only a claim for a check ends with the check', () => {
  const paying = aRecipient({ isClaimed: true, checkId: null });
  expect(withoutCheck(paying)).toBe(paying);
});
