/** Transactions as operators see them: one line of a list, and one with everything around it. */
import { returnedBy } from '../ledger/returned.ts';
import type { FindTakers } from '../providers/takers.ts';
import { autoRefundAt } from '../transactions/due-at.ts';
import type { ShownTransaction } from '../transactions/show-transaction.ts';
import { isEnded } from '../transactions/state-since.ts';
import type { WholeTransaction } from '../transactions/transaction.ts';
import type { OperatorContext } from './command.ts';
import { endingView, returnedView } from './ending-view.ts';
import { holdView } from './hold-view.ts';
import { formatLedgerAmount } from './ledger-currency.ts';
import { payinMethodView, receiptView } from './payin-view.ts';
import { attentionView, recipientView } from './recipient-view.ts';
import { timeView } from './time-view.ts';
import { waitView } from './wait-view.ts';

type ViewContext = Pick<OperatorContext, 'catalogue' | 'settings' | 'clock'>;

export function listedTransactionView(transaction: WholeTransaction) {
  const { inputCurrency, sender } = transaction;
  return {
    id: transaction.transactionId,
    account_id: transaction.accountId,
    external_id: transaction.externalId,
    state: transaction.state,
    collection: transaction.isCollection,
    sender_id: sender.senderId,
    sender_state: sender.state,
    input_amount: formatLedgerAmount(inputCurrency, transaction.inputAmount),
    /** What was debited or received; refunds do not change it. */
    paid_amount: formatLedgerAmount(inputCurrency, transaction.paidAmount),
    input_currency: inputCurrency,
    recipients: transaction.recipients.length,
    created_at: transaction.createdAt.toISOString(),
    expires_at: transaction.expiresAt.toISOString(),
    funded_at: timeView(transaction.fundedAt),
  };
}

export function shownTransactionView(ctx: ViewContext, takers: FindTakers, shown: ShownTransaction) {
  const { transaction, attention } = shown;
  const { recipients: _, ...line } = listedTransactionView(transaction);
  const now = ctx.clock.now();
  const since = timeView(shown.stateSince);
  return {
    transaction: {
      ...line,
      account_name: shown.accountName,
      state_since: since,
      reason: transaction.stateReason,
      sender_external_id: transaction.sender.externalId,
      sender_reason: transaction.sender.stateReason,
      /** When it is refunded by itself, should nobody be paid before; null: it is not. */
      auto_refund_at: timeView(autoRefundAt(transaction, ctx.settings.payouts)),
      /** When it was canceled or refunded; null: it was not, or nobody knows. */
      ended_at: isEnded(transaction) ? since : null,
      needs_attention: attention.length > 0,
    },
    recipients: shown.recipients.map((seen) => recipientView(seen, waitView(ctx, takers, seen), now)),
    payin_methods: transaction.payinMethods.map((method) => payinMethodView(method, now)),
    /** What payers paid into a collection, wherever it is now. */
    payins: shown.payins.map(receiptView),
    holds: shown.holds.map(holdView),
    /** What ended each recipient that is canceled or refunded. */
    endings: shown.endings.map(endingView),
    /** What came back, by the entries of the books: one sum for each side and currency. */
    refunds: returnedBy(shown.transfers).map(returnedView),
    attention: attention.map((item) => attentionView(item, now)),
  };
}
