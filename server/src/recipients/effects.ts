/**
 * What follows from hearing about an attempt, and the small steps that are put together in hear.ts: a move through the
 * state table, the end of an attempt, a refund. Pure.
 */
import type { PayoutAnswer, ProviderFacts } from '../providers/payout-provider.ts';
import type { Attempt } from './attempt.ts';
import type { Canceler } from './canceler.ts';
import type { PayoutPolicy } from './pace.ts';
import type { Recipient } from './recipient.ts';
import { isWaiting } from './state-reason.ts';
import { type RecipientMove, recipientTable } from './states.ts';

export interface Hearing {
  readonly recipient: Recipient;
  readonly attempt: Attempt;
  readonly answer: PayoutAnswer;
  readonly by: 'provider' | 'operator' | 'sandbox';
  readonly evidence?: string;
  readonly isCash: boolean;
  readonly now: Date;
  /** By which an order has surely arrived that was sent before it: see kernel/sure-time.ts. */
  readonly sureNow: Date;
  readonly policy: PayoutPolicy;
}

/** Money that follows, by the ledger's names of entries. Amounts are those of the recipient unless given. */
export type MoneyEffect =
  | { readonly entry: 'pay_out' | 'refund' | 'collect' }
  | { readonly entry: 'overpaid_excess' | 'paid_after_refund'; readonly minor: bigint }
  /** Two entries: `minor` of the output is paid out, and the rest of what is held is refunded. */
  | { readonly entry: 'settle_part'; readonly minor: bigint };

export interface Effect {
  readonly recipient: Recipient;
  readonly money: readonly MoneyEffect[];
  readonly events: readonly RecipientEvent[];
}

/** Who or what canceled it, and when that was carried out. */
export interface End extends Canceler {
  readonly endedAt: Date;
}

type RecipientEvent = 'recipient.error' | 'recipient.pending';

export interface Heard extends Effect {
  readonly attempt: Attempt;
}

export function moved(recipient: Recipient, move: RecipientMove): Recipient {
  return { ...recipient, state: recipientTable.mustMove(recipient.state, move) };
}

export function ended(
  { attempt, now, by, evidence }: Hearing,
  outcome: 'paid' | 'failed',
  result: Pick<Attempt, 'paidAmount' | 'code'>,
): Attempt {
  return { ...attempt, ...result, outcome, heardAt: now, endedAt: now, decidedBy: by, evidence: evidence ?? null };
}

/** It ends now, for whoever asked for that. */
export function endAsAsked({ recipient, now }: Pick<Hearing, 'recipient' | 'now'>): End {
  const { canceledBy, cancelAuditId } = recipient;
  return { canceledBy, cancelAuditId, endedAt: now };
}

/** No check of its account is under way any more; the answer to one that was is dropped. */
export function withoutCheck(recipient: Recipient): Recipient {
  return recipient.checkId === null ? recipient : { ...recipient, checkId: null, isClaimed: false };
}

/** What it waited for is over: cash that is taken back is not ready any more. Why it failed stays. */
function withoutWait(recipient: Recipient): Recipient {
  const { stateReasonDetails: details } = recipient;
  return details && isWaiting(details.category)
    ? { ...recipient, stateReason: null, stateReasonDetails: null }
    : recipient;
}

/** Canceled before any money came for it. */
export function canceled(recipient: Recipient, move: 'cancel' | 'expire', end: End): Effect {
  return { recipient: { ...moved(recipient, move), ...end }, money: [], events: [] };
}

/**
 * Canceled, and refunded in the same commit. The caller makes sure that it was funded. News that the provider has
 * announced of a failed attempt are heard all the same: it may take back its word.
 */
export function refunded(
  recipient: Recipient,
  move: 'cancel' | 'auto_refund' | 'give_back',
  end: End,
  newsAt: Date | null = null,
): Effect {
  const first = moved(withoutWait(withoutCheck(recipient)), move);
  return {
    recipient: { ...moved(first, move), ...end, nextAttemptAt: newsAt, updateRequested: false },
    money: [{ entry: 'refund' }],
    events: [],
  };
}

/** Nobody knows what is true: the work stops, the words are for operators. */
export function excepted(recipient: Recipient, move: 'break' | 'contradict', why: string): Recipient {
  return { ...moved(recipient, move), stateReason: why, stateReasonDetails: null };
}

/** What the provider tells beside the outcome. The same object comes back when there is nothing new. */
export function withFacts(metadata: Recipient['metadata'], facts: ProviderFacts | undefined): Recipient['metadata'] {
  const reference = facts?.paymentReference;
  if (reference === undefined || metadata['payment_reference'] === reference) return metadata;
  return { ...metadata, payment_reference: reference };
}
