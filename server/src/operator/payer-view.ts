/**
 * Payments and prompts with their payers, as operators see those of one collection. Never in lists, nor in the audit
 * log.
 */
import type { Payer } from '../payins/payer.ts';
import type { ListedReceipt } from '../payins/receipt.ts';
import { referenceOf } from '../recipients/attempt.ts';
import type { ShownHold, ShownPrompts, WithPayer } from '../transactions/show-payins.ts';
import type { OperatorContext } from './command.ts';
import { heldView } from './hold-view.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { listedView, receiptView } from './payin-view.ts';
import { timeView } from './time-view.ts';

const payerView = (payer: Payer | null) => payer && { type: payer.type, details: payer.details };

export function payinView(receipt: WithPayer<ListedReceipt>) {
  return { ...listedView(receipt), payer: payerView(receipt.payer) };
}

/** What the payer was asked for: the reference is the one by which the provider knows it. */
export function promptsView({ transaction, prompts }: ShownPrompts) {
  return {
    transaction_id: transaction.transactionId,
    state: transaction.state,
    prompts: prompts.map((prompt) => ({
      payin_method_id: prompt.payinMethodId,
      number: prompt.number,
      provider: prompt.provider,
      reference: referenceOf(prompt),
      amount: formatLedgerAmount(transaction.inputCurrency, prompt.amount),
      currency: transaction.inputCurrency,
      started_at: prompt.startedAt.toISOString(),
      heard_at: timeView(prompt.heardAt),
      asks: prompt.asks,
      /** Null: it is open. */
      outcome: prompt.outcome,
      code: prompt.code,
      ended_at: timeView(prompt.endedAt),
      contradicted_at: timeView(prompt.contradictedAt),
      payer: payerView(prompt.payer),
    })),
  };
}

export function shownHoldView(ctx: Pick<OperatorContext, 'settings'>, shown: ShownHold) {
  return {
    ...heldView(ctx, shown),
    /** What was paid into a collection, and by whom; empty for a payout. */
    payins: shown.payins.map((receipt) => ({ ...receiptView(receipt), payer: payerView(receipt.payer) })),
  };
}
