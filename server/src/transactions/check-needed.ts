/**
 * Whether a recipient's account has to be looked up before anything is sent to a provider, and what is asked: its
 * transaction says so, its details have not passed yet, and its market has such a check.
 * Spec: Validation inside the transaction flow.
 */
import type { CheckQuestion } from '../account-checks/account-check.ts';
import { questionOf } from '../account-checks/markets.ts';
import type { PayoutCorridor } from '../corridors/corridor.ts';
import type { Recipient } from '../recipients/recipient.ts';
import type { WholeTransaction } from './transaction.ts';

export function neededCheck(
  { accountValidation }: Pick<WholeTransaction, 'accountValidation'>,
  recipient: Recipient,
  corridor: PayoutCorridor,
): CheckQuestion | undefined {
  const { isChecked, type, payoutDetails: details } = recipient;
  return accountValidation && !isChecked ? questionOf(corridor, { type, details }) : undefined;
}
