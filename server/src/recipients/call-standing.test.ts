/** Whether the answer to a call still ends a claim, and whether what it says about a failure still holds. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, aRecipient } from '../../../test/support/recipients.ts';
import { standingOf } from './call-standing.ts';

const LEASE_END = new Date(NOON.getTime() + 60_000);
const LATER = new Date(LEASE_END.getTime() + 1);
const open = anAttempt();
const over = anAttempt({ outcome: 'paid', endedAt: NOON, decidedBy: 'provider' });
const CLAIMED = { attemptId: open.attemptId, isClaimed: true, nextAttemptAt: LEASE_END };

const standing = (recipient: Parameters<typeof aRecipient>[0], attempt = open, now = NOON) =>
  standingOf({ leaseEnd: LEASE_END }, { recipient: aRecipient(recipient), attempt, now });

describe('the call about an open attempt', () => {
  it.each([
    ['holds its claim', CLAIMED, 'holds'],
    ['holds it also when an edit has set an earlier time', { ...CLAIMED, nextAttemptAt: NOON }, 'holds'],
    ['has lost it to a claim that lasts longer', { ...CLAIMED, nextAttemptAt: LATER }, 'lost'],
    ['has lost it when nobody has one', { ...CLAIMED, isClaimed: false }, 'lost'],
    ['has lost it to a check of the account', { ...CLAIMED, checkId: open.accountId }, 'lost'],
    ['has lost it to the next attempt', { ...CLAIMED, attemptId: open.accountId }, 'lost'],
  ] as const)('%s', (_, recipient, expected) => {
    expect(standing(recipient)).toBe(expected);
  });

  it('holds its claim beyond its time, as long as nobody has taken over', () => {
    expect(standing(CLAIMED, open, LATER)).toBe('holds');
  });
});

describe('the call about an attempt that a callback has ended', () => {
  it('holds what is claimed for it, however long: the time is that of the next step', () => {
    expect(standing({ ...CLAIMED, nextAttemptAt: LATER }, over)).toBe('holds');
  });

  it('is heard as it is within its time', () => {
    expect(standing({ ...CLAIMED, isClaimed: false }, over)).toBe('ended');
  });

  it('has lost at the end of its time', () => {
    expect(standing({ ...CLAIMED, isClaimed: false }, over, LEASE_END)).toBe('lost');
  });
});
