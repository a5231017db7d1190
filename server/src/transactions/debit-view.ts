/** A debit as the API shows it. Spec: Debit. Open point OP-41. */
import { amount } from '../money/amount.ts';
import { balanceToJsonNumber, toJsonNumber } from '../money/format.ts';
import type { Debit } from './debit.ts';

export function viewDebit(debit: Debit) {
  return {
    id: debit.debitId,
    to_id: debit.transactionId,
    to_type: 'Transaction',
    amount: toJsonNumber(amount(debit.amount, debit.currency)),
    currency: debit.currency,
    usd_amount: debit.usdAmount === null ? null : toJsonNumber(amount(debit.usdAmount, 'USD')),
    running_balance: balanceToJsonNumber({ minor: debit.runningBalance, currency: debit.currency }),
    metadata: debit.metadata,
    created_at: debit.createdAt.toISOString(),
  };
}
