/** The onboarding check of an account, and its admission to production: in one commit with the audit row. */
import { done, type Outcome } from '../accounts/operator-refusals.ts';
import { assert } from '../kernel/assert.ts';
import { admitAccount, checkAccount, type OnboardingCheck } from '../onboarding/admission.ts';
import type { CheckLine } from '../onboarding/check.ts';
import type { Command, OperatorContext } from './command.ts';
import { timeView } from './time-view.ts';

export function checkView({ accountId, lines, admission }: OnboardingCheck) {
  return {
    account_id: accountId,
    met: lines.every((line) => line.isMet),
    points: lines.map(lineView),
    admitted: admission !== null,
    admitted_at: timeView(admission?.at),
    admitted_by: admission?.by ?? null,
    /** Whether the check was met when it was admitted. */
    admitted_as_met: admission?.isMet ?? null,
    admission_reason: admission?.reason ?? null,
  };
}

function lineView({ point, means, isMet, evidence, lastAt }: CheckLine) {
  return { point, means, met: isMet, evidence, last_at: timeView(lastAt) };
}

/** Refuses with account_not_found. */
export function findCheck(ctx: OperatorContext, accountId: string): Promise<Outcome<OnboardingCheck>> {
  return ctx.db.inTx((tx) => checkAccount(tx, accountId));
}

/** Refuses with account_not_found, already_admitted, check_not_met. */
export function admit(
  ctx: OperatorContext,
  command: Command,
  { accountId, reason }: { readonly accountId: string; readonly reason: string | null },
): Promise<Outcome<OnboardingCheck>> {
  return ctx.commands.run<OnboardingCheck>(command, {
    name: 'account.admit',
    subject: accountId,
    intent: { admission_reason: reason },
    change: async (tx) => {
      const admitted = await admitAccount(tx, { accountId, reason, at: ctx.clock.now(), by: command.operator });
      if (!admitted.ok) return admitted;
      return done({ answer: admitted.value, subject: accountId, before: null, after: checkView(admitted.value) });
    },
    recall: async (tx) => {
      const found = await checkAccount(tx, accountId);
      assert(found.ok, 'the account that was admitted');
      return found.value;
    },
  });
}
