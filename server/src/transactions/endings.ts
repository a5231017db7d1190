/**
 * What ended the recipients of a transaction that are canceled or refunded: no row says it, but the books, the audit log,
 * holds, events and prompts together leave one answer, or none. Unknown is better than a guess. Pure. Open point OP-230.
 */
import type { AuditRow } from '../accounts/audit.ts';
import type { Hold } from '../holds/hold.ts';
import type { PostedTransfer } from '../ledger/transfer-store.ts';
import type { PayinAttempt } from '../payins/attempt.ts';
import type { PayoutPolicy } from '../recipients/pace.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';

export type EndedBy = 'caller' | 'operator' | 'auto_refund' | 'expiry' | 'failed_payin' | 'unknown';

export interface Ending {
  readonly recipientId: string;
  readonly state: 'canceled' | 'refunded';
  /** Null: not known. */
  readonly at: Date | null;
  readonly by: EndedBy;
  /** When it was asked for, where a provider had the order and had to be heard first. */
  readonly askedAt: Date | null;
  /** The line of the audit log, where an operator did it. */
  readonly audit: AuditRow | null;
}

export interface EndFacts {
  readonly transaction: WholeTransaction;
  /** All that ever held it. */
  readonly holds: readonly Hold[];
  /** The state that its last event shows it in; undefined: there was none. */
  readonly told: { readonly state: string | null; readonly at: Date } | undefined;
  /** Everything that was posted for it. */
  readonly transfers: readonly PostedTransfer[];
  /** What operators did to it and to its recipients, the oldest first. */
  readonly audit: readonly AuditRow[];
  /** The last prompts of its payer. */
  readonly prompts: readonly PayinAttempt[];
}

type Policy = Pick<PayoutPolicy, 'autoRefundAfterMs'>;
type Found = Pick<Ending, 'at' | 'by'> & Partial<Pick<Ending, 'askedAt' | 'audit'>>;

const UNKNOWN: Found = { at: null, by: 'unknown' };

/** Those that ended, in their order. */
export function endingsOf(facts: EndFacts, policy: Policy): Ending[] {
  return facts.transaction.recipients.flatMap((recipient): Ending[] => {
    const { recipientId } = recipient;
    const refundedAt = refundOf(facts, recipientId);
    if (refundedAt === undefined && recipient.state !== 'canceled') return [];
    const state = refundedAt === undefined ? 'canceled' : 'refunded';
    const found = refundedAt ? whoRefunded(facts, policy, recipient, refundedAt) : whoCanceled(facts, recipient);
    return [{ recipientId, state, askedAt: null, audit: null, ...found }];
  });
}

/** When a transaction ended without being paid; null: it did not, or nobody knows. */
export function endedAt({ transaction, told }: EndFacts, endings: readonly Ending[]): Date | null {
  const { state, expiresAt } = transaction;
  if (state !== 'canceled' && state !== 'refunded') return null;
  if (told?.state === state) return told.at;
  return endings.some(({ by }) => by === 'expiry') ? expiresAt : null;
}

/** Whether there is anything to look for. */
export function hasEndings({ recipients }: WholeTransaction, transfers: readonly PostedTransfer[]): boolean {
  return recipients.some(({ state }) => state === 'canceled') || transfers.some(({ entry }) => entry === 'refund');
}

function refundOf({ transfers }: EndFacts, recipientId: string): Date | undefined {
  return transfers.find((each) => each.entry === 'refund' && each.recipientId === recipientId)?.postedAt;
}

/** The action after which a recipient was in that state, and was not before. */
function actionTo(facts: EndFacts, recipientId: string, state: string): AuditRow | undefined {
  return facts.audit.find(
    ({ subject, before, after }) =>
      subject === recipientId && before?.['state'] !== state && after?.['state'] === state,
  );
}

function whoRefunded(facts: EndFacts, policy: Policy, recipient: Recipient, at: Date): Found {
  const { recipientId, cancelRequestedAt: askedAt } = recipient;
  const asked = { at, askedAt };
  const did = actionTo(facts, recipientId, 'refunded');
  if (did) return { ...asked, by: 'operator', audit: did };
  const since = askedAt ?? at;
  const wish = askedAt && wishOf(facts, recipientId, askedAt);
  if (wish) return { ...asked, by: 'operator', audit: wish };
  const rejected = facts.holds.find(({ decision }) => decision?.what === 'canceled' && isAt(decision.at, since));
  if (rejected) return { ...asked, by: 'operator', audit: rejectionOf(facts, since) };
  return { ...asked, by: mayBeAutomatic(facts, policy, recipient, at) ? 'auto_refund' : 'caller' };
}

/** The action by which its cancellation was kept in mind. */
function wishOf({ audit }: EndFacts, recipientId: string, askedAt: Date): AuditRow | undefined {
  const text = askedAt.toISOString();
  return audit.find(
    ({ subject, before, after }) =>
      subject === recipientId && before?.['cancel_requested_at'] === null && after?.['cancel_requested_at'] === text,
  );
}

/** The row is written behind the step, in the same commit. */
function rejectionOf({ audit, transaction }: EndFacts, at: Date): AuditRow | null {
  const isOfIt = (row: AuditRow) => row.action === 'hold.cancel' && row.subject === transaction.transactionId;
  return audit.find((row) => isOfIt(row) && row.at >= at) ?? null;
}

function isAt(one: Date, other: Date): boolean {
  return one.getTime() === other.getTime();
}

/**
 * Whether the program did it by itself. It refunds when its time has come, nobody was paid before, and then all that is
 * held at once. Whatever else refunds without an operator is its caller.
 */
function mayBeAutomatic(facts: EndFacts, policy: Policy, recipient: Recipient, at: Date): boolean {
  const { transaction, transfers } = facts;
  const { fundedAt, autoRefund, isCollection, recipients } = transaction;
  if (fundedAt === null || !autoRefund || isCollection) return false;
  const since = recipient.cancelRequestedAt ?? at;
  if (since.getTime() < fundedAt.getTime() + policy.autoRefundAfterMs) return false;
  if (transfers.some(({ entry, postedAt }) => PAYMENTS.includes(entry) && postedAt <= since)) return false;
  if (recipient.cancelRequestedAt !== null) return true;
  return recipients.every((other) => other.state === 'canceled' || isReleasedBy(facts, other.recipientId, at));
}

/** After which a recipient is paid, or its transaction is with people: neither is refunded by itself. */
const PAYMENTS: readonly string[] = ['pay_out', 'paid_after_refund'];

function isReleasedBy({ transfers }: EndFacts, recipientId: string, at: Date): boolean {
  return transfers.some((each) => each.from === 'held' && each.recipientId === recipientId && each.postedAt <= at);
}

/** Before any money came for it. */
function whoCanceled(facts: EndFacts, recipient: Recipient): Found {
  const { transaction, told } = facts;
  const did = actionTo(facts, recipient.recipientId, 'canceled');
  if (did) return { at: did.at, by: 'operator', audit: did };
  const isOver = transaction.state === 'canceled' && transaction.fundedAt === null;
  // Its transaction went on without it.
  if (!isOver) return { at: null, by: 'caller' };
  const resolved = facts.audit.find(isResolution);
  if (resolved) return { at: resolved.at, by: 'operator', audit: resolved };
  const closedAt = told?.state === 'canceled' ? told.at : null;
  if (transaction.isCollection) return closedAt === null ? UNKNOWN : whoClosed(facts, closedAt);
  // Of payouts an event tells the end by a cancellation, and nothing that of the hour.
  if (closedAt !== null) return { at: transaction.recipients.length === 1 ? closedAt : null, by: 'caller' };
  return endedTogether(facts) ? { at: transaction.expiresAt, by: 'expiry' } : UNKNOWN;
}

/** An operator ended a collection that broke, or was not confirmed. */
function isResolution({ action, before, after }: AuditRow): boolean {
  return action === 'payin.resolve' && before?.['payin_state'] !== 'canceled' && after?.['payin_state'] === 'canceled';
}

function whoClosed({ transaction, prompts }: EndFacts, at: Date): Found {
  const hasFailed = transaction.payinMethods.some(({ attemptId, stateReasonDetails: reason }) =>
    prompts.some(
      (prompt) =>
        prompt.attemptId === attemptId &&
        prompt.outcome === 'failed' &&
        prompt.code === reason?.code &&
        prompt.endedAt !== null &&
        isAt(prompt.endedAt, at),
    ),
  );
  if (hasFailed) return { at, by: 'failed_payin' };
  return { at, by: at >= transaction.expiresAt ? 'expiry' : 'caller' };
}

/** Who is canceled early leaves the amount of the transaction (OP-151): what is missing there is told by the audit log. */
function endedTogether(facts: EndFacts): boolean {
  const { recipients, inputAmount } = facts.transaction;
  const rest = recipients.filter(({ recipientId }) => actionTo(facts, recipientId, 'canceled') === undefined);
  return rest.reduce((sum, each) => sum + each.inputAmount, 0n) === inputAmount;
}
