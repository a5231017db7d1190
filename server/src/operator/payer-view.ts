/** Payments with who paid them, as operators see one that they decide on. Never in lists, nor in the audit log. */
import type { Payer } from '../payins/payer.ts';
import type { ListedReceipt } from '../payins/receipt.ts';
import type { ShownHold, WithPayer } from '../transactions/show-payins.ts';
import type { OperatorContext } from './command.ts';
import { heldView } from './hold-view.ts';
import { listedView, receiptView } from './payin-view.ts';

const payerView = (payer: Payer | null) => payer && { type: payer.type, details: payer.details };

export function payinView(receipt: WithPayer<ListedReceipt>) {
  return { ...listedView(receipt), payer: payerView(receipt.payer) };
}

export function shownHoldView(ctx: Pick<OperatorContext, 'settings'>, shown: ShownHold) {
  return {
    ...heldView(ctx, shown),
    /** What was paid into a collection, and by whom; empty for a payout. */
    payins: shown.payins.map((receipt) => ({ ...receiptView(receipt), payer: payerView(receipt.payer) })),
  };
}
