/** Rules and holds as operators see them. What stands in the audit log holds no details of people. */
import type { Hold } from '../holds/hold.ts';
import { type HoldRule, sayRule } from '../holds/rule.ts';
import { autoRefundAt } from '../transactions/due-at.ts';
import { versionOf } from '../transactions/held-version.ts';
import type { HeldTransaction } from '../transactions/hold-orders.ts';
import type { OperatorContext } from './command.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { timeView } from './time-view.ts';

export function ruleView(rule: HoldRule) {
  const { criterion } = rule;
  return {
    id: rule.ruleId,
    account_id: rule.accountId,
    payout_type: rule.payoutType,
    kind: criterion.kind,
    amount: criterion.kind === 'amount' ? formatLedgerAmount(criterion.currency, criterion.over) : null,
    currency: criterion.kind === 'amount' ? criterion.currency : null,
    transactions: criterion.kind === 'count' ? criterion.over : null,
    side: criterion.kind === 'country' ? criterion.side : null,
    countries: criterion.kind === 'country' ? criterion.countries : null,
    says: sayRule(rule),
    created_at: rule.createdAt.toISOString(),
    created_by: rule.createdBy,
  };
}
export type RuleView = ReturnType<typeof ruleView>;

export function holdView(hold: Hold) {
  return {
    reason: hold.reason,
    rules: hold.rules.map(({ rule_id, says }) => ({ rule_id, says })),
    held_at: hold.heldAt.toISOString(),
    decision: hold.decision?.what ?? null,
    decided_at: timeView(hold.decision?.at),
    decided_by: hold.decision?.by ?? null,
    decision_reason: hold.decision?.reason ?? null,
  };
}

/** For the audit log: what a decision changes. */
export function heldStateView({ transaction, holds }: HeldTransaction) {
  return {
    state: transaction.state,
    recipients: transaction.recipients.map(({ recipientId, state }) => ({ id: recipientId, state })),
    holds: holds.map(holdView),
  };
}

export function heldView({ settings }: Pick<OperatorContext, 'settings'>, { transaction, holds }: HeldTransaction) {
  const { inputCurrency, sender } = transaction;
  return {
    transaction_id: transaction.transactionId,
    account_id: transaction.accountId,
    external_id: transaction.externalId,
    state: transaction.state,
    input_amount: formatLedgerAmount(inputCurrency, transaction.inputAmount),
    input_currency: inputCurrency,
    sender_id: sender.senderId,
    sender_state: sender.state,
    funded_at: timeView(transaction.fundedAt),
    /**
     * Until when it can be decided on, should nobody be paid before: then it is refunded by itself; null: it is not.
     */
    auto_refund_at: timeView(autoRefundAt(transaction, settings.payouts)),
    /** Names what is shown here when it is released. */
    as_of: versionOf(transaction),
    recipients: transaction.recipients.map((recipient) => ({
      id: recipient.recipientId,
      state: recipient.state,
      type: recipient.type,
      payout_type: recipient.payoutType,
      details: recipient.payoutDetails,
      output_amount: formatLedgerAmount(recipient.outputCurrency, recipient.outputAmount),
      output_currency: recipient.outputCurrency,
      cancel_requested_at: timeView(recipient.cancelRequestedAt),
    })),
    holds: holds.map(holdView),
  };
}
