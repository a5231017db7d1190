/**
 * Whether an account is admitted to production: an operator has recorded that its check is met, or why it was skipped.
 * Read with its keys (accounts/credentials.ts); without it they do not work in live mode. Open point OP-207.
 */
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Tx } from '../kernel/database.ts';
import { type Admission, findAdmission, insertAdmission } from './admission-store.ts';
import { type CheckLine, checkUse } from './check.ts';

export interface OnboardingCheck {
  readonly accountId: string;
  readonly lines: readonly CheckLine[];
  /** Null: not admitted. */
  readonly admission: Admission | null;
}

/** Refuses with account_not_found. */
export async function checkAccount(tx: Tx, accountId: string): Promise<Outcome<OnboardingCheck>> {
  const account = await accountById(tx, accountId);
  if (!account.ok) return account;
  const admission = (await findAdmission(tx, accountId)) ?? null;
  return done({ accountId, lines: await checkUse(tx, accountId), admission });
}

/** Refuses with account_not_found, already_admitted, check_not_met (without a reason to skip it). */
export async function admitAccount(
  tx: Tx,
  { accountId, reason, at, by }: { accountId: string; reason: string | null; at: Date; by: string },
): Promise<Outcome<OnboardingCheck>> {
  const found = await checkAccount(tx, accountId);
  if (!found.ok) return found;
  if (found.value.admission !== null) return refusedAction('already_admitted');
  const unmet = found.value.lines.filter((line) => !line.isMet);
  if (unmet.length > 0 && reason === null) {
    return refusedAction('check_not_met', ...unmet.map(({ point, means }) => `${point}: not shown yet that ${means}`));
  }
  const admission: Admission = { accountId, isMet: unmet.length === 0, reason, at, by };
  if (!(await insertAdmission(tx, admission))) return refusedAction('already_admitted');
  return done({ ...found.value, admission });
}
