/** Keeping the rules: operators add, list and remove them. What was held by a rule stays held when it is removed. */
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Tx } from '../kernel/database.ts';
import { type HoldRule, MAX_RULES } from './rule.ts';
import { countRules, deleteRule, insertRule, listStoredRules, lockRules } from './rule-store.ts';

/** Refuses with account_not_found, too_many_rules. Transactions that are claimed from the commit on are held by it. */
export async function addRule(tx: Tx, rule: HoldRule): Promise<Outcome<HoldRule>> {
  if (rule.accountId !== null) {
    const account = await accountById(tx, rule.accountId);
    if (!account.ok) return account;
  }
  await lockRules(tx);
  if ((await countRules(tx)) >= MAX_RULES) return refusedAction('too_many_rules', `there are ${MAX_RULES} rules`);
  await insertRule(tx, rule);
  return done(rule);
}

/** Refuses with rule_not_found. Gives what it was. */
export async function removeRule(tx: Tx, ruleId: string): Promise<Outcome<HoldRule>> {
  const before = await deleteRule(tx, ruleId);
  return before ? done(before) : refusedAction('rule_not_found');
}

/** In the order in which they were added; with an account, those that hold for it. */
export function listRules(tx: Tx, accountId: string | null): Promise<HoldRule[]> {
  return listStoredRules(tx, accountId);
}
