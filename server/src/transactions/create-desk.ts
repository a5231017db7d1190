/**
 * What creation and calculation decide on: the terms of the accounts, external ids, senders and balances, as working
 * copies in which each command sees what the earlier ones of its batch have done.
 */
import { type Account, readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { Book, openBook } from '../ledger/book.ts';
import { decideSender, type SenderDecision } from '../senders/decide.ts';
import { lockSenderDesk, nameSenders, type SenderDesk } from '../senders/desk.ts';
import type { Sender } from '../senders/sender.ts';
import { senderPolicy } from '../senders/when-checked.ts';
import { ExternalIdBook } from '../storage/external-id-book.ts';
import { type ExternalId, findExternalIds, reserveExternalIds } from '../storage/external-ids.ts';
import type { CreateCommand } from './create-command.ts';
import { decideCreate } from './decide-create.ts';
import { decideFunding } from './decide-funding.ts';
import { canFund, fundedFrom } from './fund-in-book.ts';
import { areRatesStale, ratesFor } from './rate-facts.ts';
import type { WholeTransaction } from './transaction.ts';

export interface CreateDesk {
  readonly accounts: ReadonlyMap<string, Account>;
  readonly externalIds: ExternalIdBook;
  readonly senders: SenderDesk;
  readonly book: Book;
  /** One time for the whole batch. */
  readonly now: Date;
}

/**
 * External ids first, then senders, then balances: the order in which every operation takes its locks. What does not
 * depend on an answer is asked for together: each answer that is waited for costs a batch milliseconds.
 */
export async function openCreateDesk(
  { settings }: Pick<Context, 'settings'>,
  tx: Tx,
  commands: readonly CreateCommand[],
  { now, isDryRun, open }: { now: Date; isDryRun: boolean; open: typeof openBook },
): Promise<CreateDesk> {
  const wishes = commands.map(({ wish }) => wish);
  const [accounts, externalIds, named] = await Promise.all([
    readTerms(
      tx,
      commands.map(({ call }) => call.accountId),
    ),
    openExternalIds(tx, commands, isDryRun),
    nameSenders(tx, wishes, { isDryRun }),
  ]);
  const balances = commands.flatMap(({ call, draft, isFunded }) =>
    isFunded && draft.inputCurrency ? [fundedFrom(call.accountId, draft.inputCurrency)] : [],
  );
  const [senders, book] = await Promise.all([
    lockSenderDesk(tx, wishes, named, { terms: accounts, policy: senderPolicy(settings), isDryRun }),
    open(tx, balances),
  ]);
  return { accounts, externalIds, senders, book, now };
}

async function openExternalIds(tx: Tx, commands: readonly CreateCommand[], isDryRun: boolean): Promise<ExternalIdBook> {
  const wanted = commands.flatMap(({ call: { accountId }, draft: { externalId }, transactionId }): ExternalId[] =>
    externalId === null ? [] : [{ accountId, objectType: 'transaction', externalId, objectId: transactionId }],
  );
  const book = new ExternalIdBook(isDryRun ? [] : await reserveExternalIds(tx, wanted));
  const isOthers = (row: ExternalId) => !book.isReserved(row.accountId, row.externalId);
  const taken = await findExternalIds(tx, wanted.filter(isOthers));
  for (const row of taken) book.note(row.accountId, row.externalId, row.objectId);
  return book;
}

type DeskDecision =
  | { readonly kind: 'create'; readonly transaction: WholeTransaction; readonly sender: SenderDecision }
  | { readonly kind: 'refuse'; readonly refusals: readonly Refusal[]; readonly existing: Existing }
  | { readonly kind: 'rates_stale' };

/** What already bears the external ids of a refused command. */
export interface Existing {
  readonly transactionId: string | undefined;
  readonly sender: Sender | undefined;
}

/** Decides one command. Nothing is kept yet. */
export function decideAtDesk(ctx: Context, desk: CreateDesk, command: CreateCommand): DeskDecision {
  const { accountId } = command.call;
  const { externalId } = command.draft;
  const rates = ratesFor(ctx, command.draft, desk.now);
  if (areRatesStale(ctx, rates.sheet, command.draft, desk.now)) return { kind: 'rates_stale' };
  const transactionId = externalId === null ? undefined : desk.externalIds.ownerOf(accountId, externalId);
  const sender = decideSender(desk.senders, command.wish);
  const decision = decideCreate({
    command,
    account: present(desk.accounts.get(accountId), 'terms of the account'),
    sender,
    isExternalIdTaken: transactionId !== undefined,
    rates,
    switches: ctx.switches,
    bounds: ctx.amountBounds,
    now: desk.now,
  });
  const existing = { transactionId, sender: sender.kind === 'refused' ? sender.existing : undefined };
  if (decision.kind === 'refuse') return { ...decision, existing };
  const refusals = command.isFunded ? decideFundingAtOnce(ctx, desk, command, decision.transaction) : [];
  if (refusals.length > 0) return { kind: 'refuse', refusals, existing };
  return { kind: 'create', transaction: decision.transaction, sender };
}

function decideFundingAtOnce(
  ctx: Pick<Context, 'switches'>,
  desk: CreateDesk,
  command: CreateCommand,
  transaction: WholeTransaction,
): Refusal[] {
  const { accountId, inputCurrency: currency } = transaction;
  return decideFunding({
    debit: { debitId: command.debitId, toId: transaction.transactionId, metadata: {} },
    transaction,
    now: desk.now,
    // Asked a moment ago, by its creation.
    isSenderIncomplete: false,
    switches: ctx.switches,
    canGive: (minor) => canFund(desk.book, { accountId, currency }, minor),
  });
}
