/** The rules of compliance holds as operators keep them: each change in one commit with its audit row. */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { type CriterionInput, type HoldRule, readCriterion } from '../holds/rule.ts';
import { addRule, listRules, removeRule } from '../holds/rules.ts';
import { present } from '../kernel/assert.ts';
import type { Command, OperatorContext } from './command.ts';
import { type RuleView, ruleView } from './hold-view.ts';

interface RuleInput extends CriterionInput {
  readonly accountId: string | null;
  readonly payoutType: string | null;
}

/** Refuses with corridor_unknown, invalid, currency_unknown, amount_invalid, account_not_found, too_many_rules. */
export async function addHoldRule(
  ctx: OperatorContext,
  command: Command,
  { accountId, payoutType, ...input }: RuleInput,
): Promise<Outcome<RuleView>> {
  if (payoutType !== null && ctx.catalogue.payout(payoutType) === undefined) {
    return refusedAction('corridor_unknown', `${payoutType} is not a payout type of the service`);
  }
  const criterion = readCriterion(input);
  if (!criterion.ok) return criterion;
  const rule: HoldRule = {
    ruleId: ctx.ids.next(),
    accountId,
    payoutType,
    criterion: criterion.value,
    createdAt: ctx.clock.now(),
    createdBy: command.operator,
  };
  const { id: _, created_at: __, created_by: ___, ...intent } = ruleView(rule);
  return ctx.commands.run<RuleView>(command, {
    name: 'hold_rule.add',
    intent,
    change: async (tx) => {
      const added = await addRule(tx, rule);
      if (!added.ok) return added;
      const answer = ruleView(added.value);
      return done({ answer, subject: rule.ruleId, before: null, after: answer });
    },
    // The rule may have been removed since; the audit row has it as it was added.
    recall: async (_tx, row) => ({ ...ruleView(rule), ...present(row.after, 'the rule that was added') }),
  });
}

/** Refuses with rule_not_found. */
export async function removeHoldRule(
  ctx: OperatorContext,
  command: Command,
  ruleId: string,
): Promise<Outcome<{ readonly id: string }>> {
  return ctx.commands.run(command, {
    name: 'hold_rule.remove',
    subject: ruleId,
    intent: {},
    change: async (tx) => {
      const removed = await removeRule(tx, ruleId);
      if (!removed.ok) return removed;
      return done({ answer: { id: ruleId }, subject: ruleId, before: ruleView(removed.value), after: null });
    },
    recall: async () => ({ id: ruleId }),
  });
}

export async function listHoldRules(ctx: OperatorContext, accountId: string | null): Promise<RuleView[]> {
  const rules = await ctx.db.inTx((tx) => listRules(tx, accountId));
  return rules.map(ruleView);
}
