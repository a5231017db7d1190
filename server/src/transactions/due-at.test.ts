/** The one time by which workers find a transaction. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { aRecipient, POLICY } from '../../../test/support/recipients.ts';
import { storedSender } from '../../../test/support/senders.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { autoRefundAt, dueAtOf } from './due-at.ts';
import type { WholeTransaction } from './transaction.ts';

const LATER = new Date(NOON.getTime() + 60_000);
const EXPIRY = new Date(NOON.getTime() + 3_600_000);
const REFUND = new Date(NOON.getTime() + POLICY.autoRefundAfterMs);

function transaction(over: Partial<WholeTransaction>, ...recipients: Partial<Recipient>[]): WholeTransaction {
  const whole: Partial<WholeTransaction> = {
    state: 'received',
    autoRefund: true,
    fundedAt: NOON,
    expiresAt: EXPIRY,
    recipients: recipients.map((each) => aRecipient(each)),
    payinMethods: [],
    sender: storedSender(),
    ...over,
  };
  return Object.assign(Object.create(null), whole);
}

describe('a transaction is due', () => {
  it.each([
    ['at its expiry, unfunded', { fundedAt: null, state: 'approved' }, [{ state: 'initial' }], EXPIRY],
    ['never, canceled before it was funded', { fundedAt: null, state: 'canceled' }, [{ state: 'canceled' }], null],
    ['at once when it is funded', {}, [{ state: 'initial', nextAttemptAt: null }], NOON],
    ['at the first time of its recipients', {}, [{ nextAttemptAt: EXPIRY }, { nextAttemptAt: LATER }], LATER],
    ['at its refund, under review', { state: 'processing' }, [{ state: 'initial' }], REFUND],
    [
      'when its pending order is asked about, even when it is broken',
      { state: 'exception' },
      [{ nextAttemptAt: LATER }],
      LATER,
    ],
    ['not for a retry, when it is broken', { state: 'exception' }, [{ state: 'error', nextAttemptAt: LATER }], null],
    [
      'at its refund, while its sender waits for the lists',
      { sender: { ...storedSender(), due: { at: NOON, for: 'created' } } },
      [{ state: 'initial' }, { state: 'error', nextAttemptAt: LATER }],
      REFUND,
    ],
    ['never, paid', { state: 'paid' }, [{ state: 'success', nextAttemptAt: null }], null],
    [
      'for announced news of what was refunded',
      { state: 'refunded' },
      [{ state: 'refunded', nextAttemptAt: LATER }],
      LATER,
    ],
  ] as const)('%s', (_, over, recipients, expected) => {
    expect(dueAtOf(transaction(over, ...recipients), POLICY, NOON)).toEqual(expected);
  });
});

describe('it is refunded by itself', () => {
  it.each([
    ['a day after funding', {}, [{ state: 'error' }], REFUND],
    ['in manual too', { state: 'manual' }, [{ state: 'stuck' }], REFUND],
    ['not where the trait is off', { autoRefund: false }, [{ state: 'error' }], null],
    ['not where one was paid', {}, [{ state: 'error' }, { state: 'success' }], null],
    ['not where one was overpaid', {}, [{ state: 'error' }, { state: 'overpaid' }], null],
    ['not where every open one is being canceled', {}, [{ state: 'pending', cancelRequestedAt: NOON }], null],
    ['not when it is finished', { state: 'refunded' }, [{ state: 'refunded' }], null],
    ['not when it is broken', { state: 'exception' }, [{ state: 'exception' }, { state: 'error' }], null],
  ] as const)('%s', (_, over, recipients, expected) => {
    expect(autoRefundAt(transaction(over, ...recipients), POLICY)).toEqual(expected);
  });
});

describe('a day after funding, with an order that its provider is asked about,', () => {
  const ASKED = new Date(REFUND.getTime() + 60_000);
  const marked = { state: 'pending', cancelRequestedAt: REFUND, nextAttemptAt: ASKED } as const;
  const failed = { state: 'error', nextAttemptAt: LATER } as const;

  it.each([
    ['it is due for that question alone', REFUND, [marked, failed], ASKED],
    [
      'it is due at once while another order is not settled yet',
      REFUND,
      [marked, { state: 'stuck', nextAttemptAt: null }],
      REFUND,
    ],
    ['it is due at once when no order is left', REFUND, [{ ...failed, nextAttemptAt: null }], REFUND],
    ['before that day others are tried', NOON, [{ ...marked, cancelRequestedAt: NOON }, failed], LATER],
  ] as const)('%s', (_, now, recipients, expected) => {
    expect(dueAtOf(transaction({}, ...recipients), POLICY, now)).toEqual(expected);
  });
});
