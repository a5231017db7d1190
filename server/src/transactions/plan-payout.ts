/**
 * What is to be done for a recipient of a funded payout, as its whole transaction has it. Workers do it, and operators
 * are told from the same plan what a recipient waits for. Pure.
 */
import type { CheckQuestion } from '../account-checks/account-check.ts';
import type { PayoutCorridor } from '../corridors/corridor.ts';
import type { Attempt } from '../recipients/attempt.ts';
import type { PayoutPolicy } from '../recipients/pace.ts';
import { type Plan, type PlanFacts, planRecipient } from '../recipients/plan.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { neededCheck } from './check-needed.ts';
import { isSettling } from './due-at.ts';
import { maySend } from './hold-facts.ts';
import type { WholeTransaction } from './transaction.ts';

export interface PayoutFacts {
  readonly transaction: WholeTransaction;
  readonly recipient: Recipient;
  /** Its last attempt. */
  readonly attempt: Attempt | undefined;
  readonly corridor: PayoutCorridor;
  readonly policy: PayoutPolicy;
  readonly now: Date;
  /** The time to plan for, with everything else as it is now; now unless given. */
  readonly at?: Date;
  readonly choose: PlanFacts['choose'];
}

interface PayoutPlan {
  readonly plan: Plan;
  /** What is asked about its account first; undefined: nothing. */
  readonly question: CheckQuestion | undefined;
}

export function planPayout({ transaction, recipient, corridor, policy, now, ...facts }: PayoutFacts): PayoutPlan {
  const question = neededCheck(transaction, recipient, corridor);
  const plan = planRecipient({
    recipient,
    attempt: facts.attempt,
    isCash: corridor.isCash,
    mayStart: maySend(transaction) && !isSettling(transaction, policy, now),
    needsCheck: question !== undefined,
    now: facts.at ?? now,
    choose: facts.choose,
  });
  return { plan, question };
}
