/** What is to be done for a recipient: open attempts are asked about, and a new one follows a failure alone. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, aRecipient } from '../../../test/support/recipients.ts';
import { type PlanFacts, planRecipient } from './plan.ts';
import { recipientTable } from './states.ts';

const EARLIER = new Date(NOON.getTime() - 1);
const LATER = new Date(NOON.getTime() + 1);
const failed = anAttempt({ outcome: 'failed', endedAt: EARLIER, decidedBy: 'provider' });

function plan(recipient: Parameters<typeof aRecipient>[0], over: Partial<PlanFacts> = {}) {
  return planRecipient({
    recipient: aRecipient({ nextAttemptAt: NOON, ...recipient }),
    attempt: anAttempt(),
    isCash: false,
    mayStart: true,
    needsCheck: false,
    now: NOON,
    choose: (failedAt) => ({ provider: failedAt === 'first' ? 'second' : 'first' }),
    ...over,
  });
}

describe('an attempt that is open', () => {
  it.each(recipientTable.states.filter((state) => state !== 'initial'))(
    'is asked about and never followed by another, in %s',
    (state) => {
      expect(plan({ state })).toMatchObject({ do: 'ask', mayResend: state === 'pending' });
    },
  );

  it('is not sent again once it is to be canceled', () => {
    expect(plan({ state: 'pending', cancelRequestedAt: EARLIER })).toMatchObject({ do: 'ask', mayResend: false });
  });

  it.each([
    [
      'pending cash that is to be canceled is taken back',
      { cancelRequestedAt: EARLIER },
      true,
      { cancel: true, update: false },
    ],
    ['pending cash that was edited is changed', { updateRequested: true }, true, { cancel: false, update: true }],
    ['stuck cash is taken back as well', { state: 'stuck', cancelRequestedAt: EARLIER }, true, { cancel: true }],
    ['stuck cash is changed as well', { state: 'stuck', updateRequested: true }, true, { update: true }],
    [
      'what else is stuck is only asked about',
      { state: 'stuck', cancelRequestedAt: EARLIER },
      false,
      { cancel: false },
    ],
    [
      'what is no cash is only asked about',
      { cancelRequestedAt: EARLIER, updateRequested: true },
      false,
      { cancel: false, update: false },
    ],
  ] as const)('%s', (_, recipient, isCash, expected) => {
    expect(plan({ state: 'pending', ...recipient }, { isCash })).toMatchObject({ do: 'ask', ...expected });
  });
});

describe('nothing is done', () => {
  it.each(recipientTable.states.filter((state) => !['initial', 'error', 'manual'].includes(state)))(
    'after a failure, in %s, in which no attempt may follow',
    (state) => {
      expect(plan({ state }, { attempt: failed })).toEqual({ do: 'nothing' });
    },
  );

  it.each([
    ['before its time', { nextAttemptAt: LATER }, {}],
    ['without a time', { nextAttemptAt: null }, {}],
    ['in error, while the transaction is held back', { state: 'error' }, { attempt: failed, mayStart: false }],
    ['in manual without a time', { state: 'manual', nextAttemptAt: null }, { attempt: failed }],
  ] as const)('%s', (_, recipient, over) => {
    expect(plan(recipient, over)).toEqual({ do: 'nothing' });
  });
});

describe('a new attempt', () => {
  it.each(['initial', 'error', 'manual'] as const)('is made in %s when its time has come', (state) => {
    const attempt = state === 'initial' ? undefined : failed;
    expect(plan({ state }, { attempt })).toMatchObject({ do: 'submit' });
  });

  it.each([
    ['temporary_error', 'second'],
    ['recipient_error', 'first'],
  ] as const)('after a %s goes to the %s provider', (category, provider) => {
    const stateReasonDetails = { code: '3', category, messages: [], description: '' };
    expect(plan({ state: 'error', stateReasonDetails }, { attempt: failed })).toEqual({ do: 'submit', provider });
  });

  it('waits where no provider takes orders', () => {
    const choose = () => undefined;
    expect(plan({ state: 'error' }, { attempt: failed, choose })).toEqual({ do: 'wait' });
  });

  it('comes after announced news of the failed one', () => {
    const attempt = { ...failed, newsAt: NOON };
    expect(plan({ state: 'error' }, { attempt })).toMatchObject({ do: 'ask', mayResend: false });
    expect(plan({ state: 'error' }, { attempt: { ...failed, newsAt: LATER } })).toMatchObject({ do: 'submit' });
  });
});

describe('an account that is to be checked', () => {
  it.each(['initial', 'error', 'manual'] as const)('is looked up before an attempt, in %s', (state) => {
    const attempt = state === 'initial' ? undefined : failed;
    expect(plan({ state }, { attempt, needsCheck: true })).toEqual({ do: 'check' });
    expect(plan({ state }, { attempt, needsCheck: false })).toMatchObject({ do: 'submit' });
  });

  it.each([
    ['before its time', { nextAttemptAt: LATER }, {}],
    ['while the transaction is held back', {}, { mayStart: false }],
  ])('is left alone %s', (_, recipient, facts) => {
    expect(plan({ state: 'error', ...recipient }, { attempt: failed, needsCheck: true, ...facts }).do).toBe('nothing');
  });

  it('is left alone while an attempt is open, which is asked about', () => {
    expect(plan({ state: 'pending' }, { needsCheck: true })).toMatchObject({ do: 'ask' });
  });

  it('waits for news of an earlier attempt that have come: they are heard first', () => {
    const attempt = { ...failed, newsAt: EARLIER };
    expect(plan({ state: 'error' }, { attempt, needsCheck: true })).toMatchObject({ do: 'ask', mayResend: false });
  });
});
