/** A recipient and an attempt for unit tests: what matters to a test is passed in, the rest has good defaults. */
import type { Attempt } from '../../server/src/recipients/attempt.ts';
import type { PayoutPolicy } from '../../server/src/recipients/pace.ts';
import { NOT_TRIED, type Recipient } from '../../server/src/recipients/recipient.ts';
import { settingsFor } from '../http/edge.ts';
import { NOON } from './manual-clock.ts';
import { OBI } from './payout.ts';

export const POLICY: PayoutPolicy = settingsFor({}).payouts;

const ACCOUNT = '0b8f9a52-6d7e-7000-8000-000000000001';
const TRANSACTION = '0b8f9a52-6d7e-7000-8000-000000000002';
const RECIPIENT = '0b8f9a52-6d7e-7000-8000-000000000003';
const ATTEMPT = '0b8f9a52-6d7e-7000-8000-000000000004';

export function anAttempt(over: Partial<Attempt> = {}): Attempt {
  return {
    accountId: ACCOUNT,
    attemptId: ATTEMPT,
    transactionId: TRANSACTION,
    recipientId: RECIPIENT,
    number: 1,
    provider: 'first',
    details: OBI.details,
    startedAt: NOON,
    sentAt: NOON,
    heardAt: null,
    asks: 0,
    outcome: null,
    code: null,
    paidAmount: null,
    decidedBy: null,
    evidence: null,
    endedAt: null,
    newsAt: null,
    ...over,
  };
}

/** Its last attempt is `anAttempt`. */
export function aRecipient(over: Partial<Recipient> = {}): Recipient {
  return {
    ...NOT_TRIED,
    accountId: ACCOUNT,
    recipientId: RECIPIENT,
    transactionId: TRANSACTION,
    position: 0,
    type: 'person',
    state: 'pending',
    stateReason: null,
    stateReasonDetails: null,
    requestedAmount: 10_000n,
    requestedCurrency: 'USD',
    inputAmount: 10_000n,
    inputCurrency: 'USD',
    outputAmount: 15_000_000n,
    outputCurrency: 'NGN',
    inputUsdAmount: 10_000n,
    usdRate: null,
    rate: '1500/1',
    payoutMethodId: RECIPIENT,
    payoutType: OBI.type,
    payoutDetails: OBI.details,
    payoutMetadata: {},
    provider: 'first',
    metadata: {},
    eventCount: 0,
    createdAt: NOON,
    attemptId: ATTEMPT,
    attemptCount: 1,
    ...over,
  };
}
