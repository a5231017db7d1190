/**
 * May this debit fund its transaction? Pure. Refuses with, in this order: not_found, collection_not_debited, canceled,
 * already_funded, expired, sender_not_approved, sender_incomplete, corridor_not_active, currency_mismatch,
 * amount_mismatch (or why the amount cannot be read), insufficient_balance. Spec: endpoint 6. The words are ours. Open
 * point OP-42.
 */
import type { CorridorSwitches } from '../corridors/switches.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { parseAmount } from '../money/parse.ts';
import { canTransact } from '../senders/states.ts';
import type { DebitRequest } from './debit.ts';
import { transactionTable } from './states.ts';
import type { Transaction, WholeTransaction } from './transaction.ts';

interface FundingFacts {
  readonly debit: DebitRequest;
  readonly transaction: WholeTransaction | undefined;
  readonly now: Date;
  /** Since its creation the sender was edited, and lacks what a corridor asks of it. */
  readonly isSenderIncomplete: boolean;
  readonly switches: Pick<CorridorSwitches, 'isActive'>;
  /** Whether the balance can give this much beside what the same list of debits takes already. */
  readonly canGive: (minor: bigint) => boolean;
}

export function decideFunding(facts: FundingFacts): Refusal[] {
  const { debit, transaction, now, isSenderIncomplete, switches, canGive } = facts;
  if (!transaction) return [refuse('not_found', 'to_id')];
  if (transaction.isCollection) return [refuse('collection_not_debited')];
  if (transaction.state === 'canceled') return [refuse('canceled')];
  if (transaction.fundedAt !== null) return [refuse('already_funded')];
  // Refused from the first moment of expiry on, even before the worker has canceled it.
  if (now >= transaction.expiresAt) return [refuse('expired')];
  if (!canTransact(transaction.sender.state)) return [refuse('sender_not_approved')];
  if (transactionTable.move(transaction.state, 'fund') === undefined) return [refuse('sender_not_approved')];
  if (isSenderIncomplete) return [refuse('sender_incomplete')];
  // Money that could not go on would only be held. Open point OP-126. One that was canceled gets none.
  const paid = transaction.recipients.filter(({ state }) => state !== 'canceled');
  if (!paid.every(({ payoutType }) => switches.isActive(payoutType))) {
    return [refuse('corridor_not_active')];
  }
  const mismatches = decideFundingMismatches(debit, transaction);
  if (mismatches.length > 0) return mismatches;
  return canGive(transaction.inputAmount) ? [] : [refuse('insufficient_balance')];
}

function decideFundingMismatches(debit: DebitRequest, transaction: Transaction): Refusal[] {
  if (debit.currency !== undefined && debit.currency !== transaction.inputCurrency) {
    return [refuse('currency_mismatch', 'currency')];
  }
  if (debit.amount === undefined || debit.amount === null) return [];
  const given = parseAmount(debit.amount, transaction.inputCurrency);
  if (!given.ok) return given.refusals.map((refusal) => refuse(refusal.code, 'amount'));
  return given.value.minor === transaction.inputAmount ? [] : [refuse('amount_mismatch', 'amount')];
}
