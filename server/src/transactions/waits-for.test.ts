/** What a recipient waits for: one row for each answer, and for what decides between two. */
import { describe, expect, it } from 'vitest';
import { NOON } from '../../../test/support/manual-clock.ts';
import { anAttempt, aRecipient, POLICY } from '../../../test/support/recipients.ts';
import { storedSender } from '../../../test/support/senders.ts';
import { loadCatalogue } from '../corridors/catalogue.ts';
import type { Hold } from '../holds/hold.ts';
import { present } from '../kernel/assert.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import type { Taker } from '../providers/takers.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';
import { type WaitFacts, waitsFor } from './waits-for.ts';

const EARLIER = new Date(NOON.getTime() - 60_000);
const LATER = new Date(NOON.getTime() + 60_000);
const EXPIRY = new Date(NOON.getTime() + 3_600_000);
const LONG_AGO = new Date(NOON.getTime() - POLICY.autoRefundAfterMs);

const corridor = present(loadCatalogue().payout(aRecipient().payoutType), 'the corridor of the tests');
const failed = anAttempt({ outcome: 'failed', endedAt: EARLIER, decidedBy: 'provider' });
const OPEN: readonly Taker[] = [{ provider: 'first', closed: null }];
const CLOSED: readonly Taker[] = [
  { provider: 'first', closed: { why: 'held', since: EARLIER, by: 'ada' } },
  { provider: 'second', closed: { why: 'switched_off' } },
];
const hold: Hold = {
  accountId: aRecipient().accountId,
  transactionId: aRecipient().transactionId,
  holdId: aRecipient().recipientId,
  reason: 'rules',
  rules: [],
  heldAt: EARLIER,
  decision: null,
};
const released: Hold = { ...hold, decision: { what: 'released', at: NOON, by: 'ada', reason: 'seen' } };

const untried = { state: 'initial', attemptId: null, attemptCount: 0, provider: null } as const;
const unfunded = { state: 'approved', fundedAt: null } as const;
const collection = { isCollection: true } as const;
const method = (over: Partial<PayinMethod>): PayinMethod => Object.assign(Object.create(null), over);
const unprompted = (...payinMethods: readonly PayinMethod[]) => ({
  is: untried,
  of: { ...unfunded, ...collection, payinMethods },
});
const withSender = (over: Partial<WholeTransaction['sender']>) => ({ sender: { ...storedSender(), ...over } });

interface Given {
  readonly is?: Partial<Recipient>;
  readonly of?: Partial<WholeTransaction>;
  /** Beside it in the transaction. */
  readonly other?: Partial<Recipient>;
  readonly facts?: Partial<WaitFacts>;
}

function waitOf({ is = {}, of = {}, other, facts = {} }: Given) {
  const recipient = aRecipient(is);
  const whole: Partial<WholeTransaction> = {
    state: 'received',
    autoRefund: true,
    accountValidation: false,
    isCollection: false,
    fundedAt: EARLIER,
    expiresAt: EXPIRY,
    recipients: [recipient, ...(other ? [aRecipient(other)] : [])],
    payinMethods: [],
    sender: storedSender(),
    ...of,
  };
  return waitsFor({
    transaction: Object.assign(Object.create(null), whole),
    recipient,
    attempt: recipient.attemptId === null ? undefined : recipient.state === 'pending' ? anAttempt() : failed,
    holds: [],
    isPutOff: false,
    hasSuspense: false,
    corridor,
    takers: OPEN,
    policy: POLICY,
    now: NOON,
    ...facts,
  });
}

describe('a recipient waits for nothing', () => {
  it.each(['success', 'overpaid', 'refunded', 'canceled'] as const)('when it is %s', (state) => {
    expect(waitOf({ is: { state, nextAttemptAt: LATER } })).toBeNull();
  });
});

const ROWS: readonly (readonly [name: string, given: Given, wait: object])[] = [
  ['for money, unfunded', { is: untried, of: unfunded }, { what: 'funding', at: EXPIRY }],
  [
    'for a worker, unfunded when its hour is over',
    { is: untried, of: { ...unfunded, expiresAt: NOON } },
    { what: 'turn', at: NOON },
  ],
  [
    'for its sender, unfunded, until it is approved',
    { is: untried, of: { ...unfunded, state: 'initial', ...withSender({ state: 'verified' }) } },
    { what: 'sender', sender: { state: 'verified' }, at: EXPIRY },
  ],
  [
    'for its payer, of a collection',
    { is: untried, of: { ...unfunded, ...collection } },
    { what: 'payer', step: 'payment', at: EXPIRY },
  ],
  [
    'for people, of a collection whose payment is in suspense, whatever became of its prompt',
    { ...unprompted(method({ state: 'error', nextAttemptAt: null })), facts: { hasSuspense: true } },
    { what: 'people', why: 'suspense', at: EXPIRY },
  ],
  [
    'for its caller, of a collection whose prompt failed for good',
    unprompted(method({ state: 'error', nextAttemptAt: null }), method({ state: 'canceled', nextAttemptAt: null })),
    { what: 'caller', about: 'prompt', at: EXPIRY },
  ],
  [
    'for its payer, of a collection, who is prompted again after a temporary error',
    unprompted(method({ state: 'error', nextAttemptAt: LATER })),
    { what: 'payer', step: 'payment' },
  ],
  [
    'for its payer, of a collection, who has another prompt beside the failed one',
    unprompted(method({ state: 'error', nextAttemptAt: null }), method({ state: 'pending', nextAttemptAt: LATER })),
    { what: 'payer', step: 'payment' },
  ],
  [
    'for the word of the provider that the payer has paid',
    { is: untried, of: { ...unfunded, ...collection, state: 'pending' } },
    { what: 'payer', step: 'confirmation' },
  ],
  [
    'for what may be added to a collection',
    { is: { ...untried, nextAttemptAt: LATER }, of: { ...collection, state: 'mispaid' } },
    { what: 'payer', step: 'more', at: LATER },
  ],
  ['for a worker, of a collection that was paid', { is: untried, of: collection }, { what: 'turn', at: EARLIER }],
  [
    'for a worker, of a collection whose deleted sender was barred: that is held or paid, and nothing else',
    { is: untried, of: { ...collection, ...withSender({ state: 'disabled', disabledFrom: 'banned' }) } },
    { what: 'turn' },
  ],
  [
    'for people, of a collection that broke',
    { is: untried, of: { ...unfunded, ...collection, state: 'exception' } },
    { what: 'people', why: 'transaction' },
  ],
  [
    'for a review, and it is told which holds are open',
    { is: untried, of: { state: 'processing' }, facts: { holds: [released, hold] } },
    { what: 'review', holds: [hold] },
  ],
  [
    'for the lists about its sender',
    { is: untried, of: withSender({ due: { at: NOON, for: 'edited' } }) },
    { what: 'sender', sender: { state: 'approved' } },
  ],
  ['for its sender, barred', { is: untried, of: withSender({ state: 'banned' }) }, { what: 'sender' }],
  [
    'for the check of its account',
    { is: untried, of: { accountValidation: true } },
    { what: 'account_check', isUnderWay: false, at: EARLIER },
  ],
  [
    'for the check of its account that is under way',
    { is: { ...untried, isClaimed: true, checkId: 'c', nextAttemptAt: LATER }, of: { accountValidation: true } },
    { what: 'account_check', isUnderWay: true, at: LATER },
  ],
  [
    'for the next check, after one that verified nothing, also when no provider takes orders',
    {
      is: { state: 'error', attemptId: null, checkFailures: 1, nextAttemptAt: LATER },
      of: { accountValidation: true },
      facts: { takers: CLOSED },
    },
    { what: 'account_check', isUnderWay: false, at: LATER },
  ],
  [
    'for its provider, which has it, also when no provider takes orders and it is under review',
    { is: { nextAttemptAt: LATER }, of: { state: 'processing' }, facts: { takers: CLOSED, holds: [hold] } },
    { what: 'provider', provider: 'first', step: 'answer', at: LATER },
  ],
  ['for a call to its provider', { is: { isClaimed: true, nextAttemptAt: LATER } }, { what: 'provider', step: 'call' }],
  [
    'for its provider, when the lease of the call has run out',
    { is: { isClaimed: true, nextAttemptAt: EARLIER } },
    { what: 'provider', step: 'answer' },
  ],
  [
    'for the failure of what is to be canceled',
    { is: { cancelRequestedAt: EARLIER, nextAttemptAt: LATER } },
    { what: 'provider', step: 'cancel' },
  ],
  [
    'for the failure of what a provider has, when its time is over',
    { is: { nextAttemptAt: LATER }, of: { fundedAt: LONG_AGO } },
    { what: 'provider', step: 'cancel' },
  ],
  [
    'for announced news of what failed',
    { is: { state: 'error', nextAttemptAt: LATER }, facts: { attempt: { ...failed, newsAt: LATER } } },
    { what: 'provider', step: 'news', at: LATER },
  ],
  [
    'for a provider, when none takes orders',
    { is: { ...untried, nextAttemptAt: LATER }, facts: { takers: CLOSED } },
    { what: 'providers', takers: CLOSED, at: LATER },
  ],
  ['for a provider, when none is set up', { is: untried, facts: { takers: [] } }, { what: 'providers', takers: [] }],
  [
    'for a provider, when none takes it once it is tried again',
    { is: { state: 'error', nextAttemptAt: LATER }, facts: { takers: CLOSED } },
    { what: 'providers', at: LATER },
  ],
  ['for its next attempt', { is: { state: 'error', nextAttemptAt: LATER } }, { what: 'retry', at: LATER }],
  ['for a worker, when it is due', { is: untried }, { what: 'turn', wasUnwanted: false, at: EARLIER }],
  [
    'for the next look at it, when who looked last had nobody for it',
    { is: { ...untried, nextAttemptAt: LATER } },
    { what: 'turn', wasUnwanted: true, provider: 'first', at: LATER },
  ],
  ['for a worker, ordered to be tried again', { is: { state: 'manual', nextAttemptAt: NOON } }, { what: 'turn' }],
  [
    'for its caller, after a check that failed, until it is refunded by itself',
    { is: { state: 'error', attemptId: null } },
    { what: 'caller', about: 'payout', at: new Date(EARLIER.getTime() + POLICY.autoRefundAfterMs) },
  ],
  [
    'for its caller, and nothing else happens where nothing is refunded by itself',
    { is: { state: 'error', attemptId: null }, of: { autoRefund: false } },
    { what: 'caller', about: 'payout', at: null },
  ],
  [
    'for its refund, when its time is over',
    { is: { state: 'error', nextAttemptAt: LATER }, of: { fundedAt: LONG_AGO } },
    { what: 'refund', isSettling: false, at: NOON },
  ],
  [
    'for its refund, and not for announced news, when its time is over',
    {
      is: { state: 'error', nextAttemptAt: LATER },
      of: { fundedAt: LONG_AGO },
      facts: { attempt: { ...failed, newsAt: LATER } },
    },
    { what: 'refund' },
  ],
  [
    'for its refund, which what a provider has keeps waiting',
    { is: untried, of: { fundedAt: LONG_AGO }, other: { state: 'stuck', cancelRequestedAt: NOON } },
    { what: 'refund', isSettling: true },
  ],
  ['for people, manual', { is: { state: 'manual', nextAttemptAt: null } }, { what: 'people', why: 'manual' }],
  [
    'for people, manual with announced news',
    { is: { state: 'manual', nextAttemptAt: LATER }, facts: { attempt: { ...failed, newsAt: LATER } } },
    { what: 'people', why: 'manual' },
  ],
  [
    'for people, stuck, while its provider is asked on',
    { is: { state: 'stuck', nextAttemptAt: LATER }, facts: { attempt: anAttempt() } },
    { what: 'people', why: 'stuck', provider: 'first', at: LATER },
  ],
  ['for people, in exception', { is: { state: 'exception' } }, { what: 'people', why: 'exception' }],
  [
    'for people, beside one in exception',
    { is: untried, of: { state: 'exception' }, other: { state: 'exception' } },
    { what: 'people', why: 'transaction' },
  ],
  [
    'for people, when the work on its transaction breaks',
    { is: untried, facts: { isPutOff: true } },
    { what: 'people', why: 'put_off' },
  ],
  [
    'for people, when its type is gone, whoever has it',
    { is: { nextAttemptAt: LATER }, facts: { corridor: undefined } },
    { what: 'people', why: 'type_gone' },
  ],
];

describe('a recipient waits', () => {
  it.each(ROWS)('%s', (_, given, wait) => {
    expect(waitOf(given)).toMatchObject(wait);
  });
});
