/**
 * PATCH /v1/recipients/{id}: only the changed details are sent. They are used by the next attempt, which follows at
 * once where the last one has failed; in cash the provider of a running order is told. Metadata alone is only kept.
 * Refuses with not_editable, corridor_not_active, output_amount_changes, sender_incomplete and what the corridor
 * refuses. Spec: endpoint 8. Open points OP-44, OP-45.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { assert } from '../kernel/assert.ts';
import { distinctBy } from '../kernel/distinct.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { withoutCheck } from '../recipients/effects.ts';
import { editEffect } from '../recipients/permissions.ts';
import type { Recipient, RecipientKey } from '../recipients/recipient.ts';
import { updatePayoutDetails } from '../recipients/update-store.ts';
import { decideEdit, type Edited } from './decide-edit.ts';
import { openRecipientDesk } from './recipient-desk.ts';
import type { WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export interface EditCommand {
  readonly call: Call;
  readonly recipientId: string;
  /** The recipient of the body, as it came. */
  readonly input: unknown;
}

export type EditAnswer =
  | { readonly kind: 'edited'; readonly recipient: Recipient; readonly transaction: WholeTransaction }
  | {
      readonly kind: 'refused';
      readonly recipient: Recipient;
      readonly transaction: WholeTransaction;
      readonly refusals: readonly Refusal[];
    }
  /** No such recipient of this account. */
  | { readonly kind: 'unknown' }
  | Replayed;

type EditContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings' | 'clock'>;

/** What an edit has changed may be used already, or edited again, when it is run again. */
const firstRuns = new FirstRuns<EditAnswer>();

export function editRecipients(ctx: EditContext, commands: readonly EditCommand[]): Promise<EditAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const open = await openRecipientDesk(ctx, tx, commands.map(keyOf));
    const edited: Recipient[] = [];
    const answers = firstRuns.answers(commands, verdicts, (command): EditAnswer => {
      const found = open.find(keyOf(command));
      if (!found) return { kind: 'unknown' };
      const decided = decideEdit(ctx.catalogue, found, command.input);
      if (!decided.ok) return { kind: 'refused', ...found, refusals: decided.refusals };
      const recipient = take(open.desk, found, decided.value);
      edited.push(recipient);
      return { kind: 'edited', recipient, transaction: found.transaction };
    });
    const lastEdits = distinctBy(edited, (recipient) => recipient.recipientId);
    await Promise.all([open.desk.write(tx), updatePayoutDetails(tx, lastEdits)]);
    return answers;
  });
}

function keyOf({ call, recipientId }: EditCommand): RecipientKey {
  return { accountId: call.accountId, recipientId };
}

/** Other details are checked again. A check of the old ones that is under way is not waited for. */
function edit(recipient: Recipient, { payoutDetails, metadata }: Edited, now: Date): Recipient {
  const edited = { payoutDetails, metadata };
  if (isDeepStrictEqual(recipient.payoutDetails, payoutDetails)) return { ...recipient, ...edited };
  const nextAttemptAt = recipient.checkId === null ? recipient.nextAttemptAt : now;
  return { ...withoutCheck(recipient), ...edited, isChecked: false, checkFailures: 0, nextAttemptAt };
}

/** Takes the edit over and gives the recipient its next attempt, or its provider the news. */
function take(
  desk: TransactionDesk,
  found: { readonly transaction: WholeTransaction; readonly recipient: Recipient },
  edited: Edited,
): Recipient {
  const recipient = edit(found.recipient, edited, desk.now);
  const after = edited.namesDetails ? triedAgain(recipient, desk.now) : recipient;
  desk.putRecipient(after);
  desk.settle(found.transaction.transactionId);
  return after;
}

function triedAgain(recipient: Recipient, now: Date): Recipient {
  const category = recipient.stateReasonDetails?.category;
  const effect = editEffect({ state: recipient.state, isCash: isCashType(recipient.payoutType), category });
  assert(effect !== 'refuse', 'an edit that was decided on is allowed');
  // While its account is looked up, for the same details, that is the next try.
  const hasFailed = (recipient.state === 'error' || recipient.state === 'manual') && recipient.checkId === null;
  return {
    ...recipient,
    errorCount: 0,
    // A stuck one may still have to be told of the edit before.
    updateRequested: effect === 'update_at_provider' || recipient.updateRequested,
    nextAttemptAt:
      hasFailed || (effect === 'update_at_provider' && !recipient.isClaimed) ? now : recipient.nextAttemptAt,
  };
}
