/** A request for a new transaction, ready for its batch: read, and with every id that it may need. */
import type { Call, Replayed } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { SenderWish } from '../senders/decide.ts';
import { makeWish } from '../senders/desk.ts';
import type { Sender } from '../senders/sender.ts';
import { draftTransaction, type TransactionDraft } from './draft.ts';
import type { TransactionText } from './text.ts';
import type { WholeTransaction } from './transaction.ts';

export interface CreateCommand {
  readonly call: Call;
  /** create_and_fund: all of it, or nothing. */
  readonly isFunded: boolean;
  readonly draft: TransactionDraft;
  readonly wish: SenderWish;
  readonly transactionId: string;
  readonly debitId: string;
  readonly payinMethodIds: readonly string[];
  readonly recipientIds: readonly { readonly recipientId: string; readonly payoutMethodId: string }[];
}

export interface Created {
  readonly kind: 'created';
  readonly transaction: WholeTransaction;
  /** Not of one that was only calculated. */
  readonly text?: TransactionText;
}

export type CreateAnswer =
  | Created
  | CreateRefusal
  /** Live mode, and the rates are too old to promise anything by them. */
  | { readonly kind: 'rates_stale' }
  | Replayed;

interface CreateRefusal {
  readonly kind: 'refused';
  readonly refusals: readonly Refusal[];
  /** What already bears the external_id. */
  readonly existing?: { readonly transaction?: WholeTransaction; readonly sender?: Sender };
}

export function makeCreateCommand(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings'>,
  call: Call,
  input: unknown,
  { isFunded }: { isFunded: boolean },
): CreateCommand {
  const draft = draftTransaction(input, {
    catalogue: ctx.catalogue,
    maxRecipients: ctx.settings.transactions.maxRecipients,
    externalIdRequired: isFunded,
  });
  return {
    call,
    isFunded,
    draft,
    wish: makeWish(ctx.ids, {
      accountId: call.accountId,
      at: call.at,
      placed: { place: 'transaction' },
      input: draft.sender,
    }),
    transactionId: ctx.ids.next(),
    debitId: ctx.ids.next(),
    payinMethodIds: draft.payins.map(() => ctx.ids.next()),
    recipientIds: draft.recipients.map(() => ({ recipientId: ctx.ids.next(), payoutMethodId: ctx.ids.next() })),
  };
}
