/** What decisions of operators are made on, without a database: a funded payout of 100 USD that a test changes. */
import { present } from '../../server/src/kernel/assert.ts';
import type { Attempt } from '../../server/src/recipients/attempt.ts';
import type { Recipient } from '../../server/src/recipients/recipient.ts';
import { decideCreate } from '../../server/src/transactions/decide-create.ts';
import type { OrderFacts, Part } from '../../server/src/transactions/decide-order.ts';
import type { TransactionState } from '../../server/src/transactions/states.ts';
import { defaultSettings, factsFor } from './create-facts.ts';
import { NOON } from './manual-clock.ts';

const ATTEMPT_ID = '01900000-0000-7000-8000-0000000000a1';

export function attempt({ outcome = null, number = 1 }: Partial<Pick<Attempt, 'outcome' | 'number'>> = {}): Attempt {
  const { accountId, transactionId, recipientId, payoutDetails: details } = created().recipient;
  const isOpen = outcome === null;
  return {
    accountId,
    transactionId,
    recipientId,
    attemptId: ATTEMPT_ID,
    number,
    provider: 'scripted',
    details,
    startedAt: NOON,
    sentAt: NOON,
    heardAt: null,
    asks: 0,
    outcome,
    code: null,
    paidAmount: null,
    decidedBy: isOpen ? null : 'provider',
    evidence: null,
    endedAt: isOpen ? null : NOON,
    newsAt: null,
  };
}

export const AUDIT_ID = '0b8f9a52-6d7e-7000-8000-000000000005';

export function factsOf(
  change: Partial<Recipient>,
  last: Attempt = attempt(),
  { part = 'held', transactionState = 'received' }: { part?: Part; transactionState?: TransactionState } = {},
): OrderFacts {
  const { transaction, recipient } = created();
  const changed: Recipient = { ...recipient, attemptId: last.attemptId, attemptCount: 1, ...change };
  return {
    recipient: changed,
    transaction: { ...transaction, state: transactionState, fundedAt: NOON, recipients: [changed] },
    attempt: last,
    paidTotal: last.outcome === 'paid' ? (last.paidAmount ?? changed.outputAmount) : null,
    part,
    isCash: false,
    auditId: AUDIT_ID,
    now: NOON,
    policy: defaultSettings().payouts,
  };
}

function created() {
  const decision = decideCreate(factsFor({ amount: 100 }));
  if (decision.kind !== 'create') throw new Error('the standard payout is created');
  const { transaction } = decision;
  return { transaction, recipient: present(transaction.recipients[0], 'the recipient of the standard payout') };
}
