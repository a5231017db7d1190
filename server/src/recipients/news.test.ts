/** News that a provider has announced: heard in time, and in nobody's way. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, aRecipient, POLICY } from '../../../test/support/recipients.ts';
import type { Heard } from './effects.ts';
import { announce } from './news.ts';
import { nextTryAt } from './pace.ts';

const SOON = new Date(NOON.getTime() + 5_000);
const NEWS = new Date(NOON.getTime() + 60_000);
const failed = anAttempt({ outcome: 'failed', endedAt: NOON, decidedBy: 'provider' });
const reason = { code: '416', category: 'recipient_error', messages: [], description: '' } as const;

function heard(recipient: Parameters<typeof aRecipient>[0], attempt = anAttempt()): Heard {
  return { recipient: aRecipient(recipient), attempt, money: [], events: [] };
}

describe('of an order that is open', () => {
  it.each([
    ['it is asked then', {}, NEWS],
    ['cash that is to be canceled does not wait for them', { cancelRequestedAt: NOON }, SOON],
    ['cash that was edited does not wait for them', { updateRequested: true }, SOON],
  ])('%s', (_, over, expected) => {
    const { recipient } = announce(heard({ nextAttemptAt: SOON, ...over }), NEWS, NOON, POLICY);
    expect(recipient.nextAttemptAt).toEqual(expected);
  });

  it('nothing announced changes nothing', () => {
    const before = heard({ nextAttemptAt: SOON });
    expect(announce(before, undefined, NOON, POLICY)).toBe(before);
  });
});

describe('of an order that has failed', () => {
  it('they are heard before the retry, which stays where it was', () => {
    const error = { state: 'error', stateReasonDetails: reason, errorCount: 1, nextAttemptAt: null } as const;
    const first = announce(heard(error, failed), NEWS, NOON, POLICY);
    expect([first.recipient.nextAttemptAt, first.attempt.newsAt]).toEqual([NEWS, NEWS]);
    const then = announce(
      { ...first, recipient: { ...first.recipient, nextAttemptAt: null } },
      undefined,
      NEWS,
      POLICY,
    );
    expect(then.attempt.newsAt).toBeNull();
    const retryAt = nextTryAt(failed, { category: reason.category, errorCount: 1 }, NOON, POLICY);
    expect(then.recipient.nextAttemptAt).toEqual(retryAt);
  });

  it('a manual one is asked about and not tried', () => {
    const manual = { state: 'manual', stateReasonDetails: reason, nextAttemptAt: null } as const;
    expect(announce(heard(manual, failed), NEWS, NOON, POLICY).recipient.nextAttemptAt).toEqual(NEWS);
    expect(announce(heard(manual, failed), undefined, NOON, POLICY).recipient.nextAttemptAt).toBeNull();
  });

  it('an edit that came meanwhile keeps its time', () => {
    const edited = { state: 'manual', stateReasonDetails: reason, nextAttemptAt: NOON } as const;
    expect(announce(heard(edited, failed), NEWS, NOON, POLICY).recipient.nextAttemptAt).toEqual(NOON);
  });

  it('nothing follows where a newer attempt was made', () => {
    const before = heard({ attemptId: '0b8f9a52-6d7e-7000-8000-00000000000f', nextAttemptAt: SOON }, failed);
    expect(announce(before, NEWS, NOON, POLICY)).toBe(before);
  });
});
