/**
 * DELETE /v1/recipients/{id}: canceled at once where nothing is under way, and refunded if it was funded; otherwise the
 * wish is remembered until the provider has decided. Asking again changes nothing. Refuses with not_cancelable.
 * Spec: endpoint 7, Recipient states (DELETE recipient), Transaction states. Open points OP-36, OP-43.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { present } from '../kernel/assert.ts';
import { type Canceler, cancelerOf } from '../recipients/canceler.ts';
import { canceled, refunded } from '../recipients/effects.ts';
import { cancelEffect, keepsPayment } from '../recipients/permissions.ts';
import type { Recipient, RecipientKey } from '../recipients/recipient.ts';
import { closePayins } from './payin-steps.ts';
import { type AtDesk, openRecipientDesk } from './recipient-desk.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export interface CancelCommand {
  readonly call: Call;
  readonly recipientId: string;
}

export type CancelAnswer =
  | { readonly kind: 'accepted' | 'refused'; readonly recipient: Recipient; readonly transaction: WholeTransaction }
  /** No such recipient of this account. */
  | { readonly kind: 'unknown' }
  | Replayed;

type CancelContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings' | 'clock'>;
type CancelVerdict = 'accepted' | 'refused';

/** A wish that was remembered stays accepted, also when the provider pays before it is run again. */
const firstRuns = new FirstRuns<{ readonly kind: CancelVerdict | 'unknown' }>();

export function cancelRecipients(ctx: CancelContext, commands: readonly CancelCommand[]): Promise<CancelAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const open = await openRecipientDesk(ctx, tx, commands.map(keyOf));
    const done = firstRuns.answers(commands, verdicts, (command) => {
      const found = open.find(keyOf(command));
      return { kind: found ? cancelAtDesk(open.desk, found) : 'unknown' };
    });
    await open.desk.write(tx);
    return commands.map((command, index): CancelAnswer => {
      const { kind } = present(done[index], 'what was done');
      if (kind === 'replayed' || kind === 'unknown') return { kind };
      return { kind, ...present(open.find(keyOf(command)), 'recipient at the desk') };
    });
  });
}

function keyOf({ call, recipientId }: CancelCommand): RecipientKey {
  return { accountId: call.accountId, recipientId };
}

export function cancelAtDesk(desk: TransactionDesk, { transaction, recipient }: AtDesk): CancelVerdict {
  if (keepsPayment(transaction)) return 'refused';
  switch (cancelEffect({ state: recipient.state, isCash: isCashType(recipient.payoutType) })) {
    case 'refuse':
      return 'refused';
    case 'repeat':
      return 'accepted';
    case 'cancel':
      cancelNow(desk, transaction, recipient);
      return 'accepted';
    case 'ask_provider':
      remember(desk, recipient, desk.now);
      return 'accepted';
    case 'remember':
      remember(desk, recipient, recipient.nextAttemptAt);
      return 'accepted';
  }
}

function cancelNow(desk: TransactionDesk, transaction: WholeTransaction, recipient: Recipient): void {
  const { transactionId } = transaction;
  const end = { ...byWhom(desk), endedAt: desk.now };
  if (transaction.fundedAt !== null) {
    desk.apply(refunded(recipient, 'cancel', end, desk.attempt(recipient.attemptId)?.newsAt));
  } else {
    desk.apply(canceled(recipient, 'cancel', end));
    const left = desk.current(transaction);
    // Open point OP-151. Nobody funds what will not be paid; the last one leaves the amount as a record.
    if (left.recipients.some((each) => each.state === 'initial')) {
      desk.putTransaction({ ...left, inputAmount: left.inputAmount - recipient.inputAmount });
    }
  }
  desk.settle(transactionId);
  closePayins(desk, transaction);
}

/** Operators cancel what callers may. */
function byWhom({ operator }: TransactionDesk): Canceler {
  return operator ?? cancelerOf('caller');
}

function remember(desk: TransactionDesk, recipient: Recipient, nextAttemptAt: Date | null): void {
  if (recipient.cancelRequestedAt !== null) return;
  const time = recipient.isClaimed ? recipient.nextAttemptAt : nextAttemptAt;
  const after = { ...recipient, ...byWhom(desk), cancelRequestedAt: desk.now, nextAttemptAt: time };
  desk.putRecipient(after);
}
