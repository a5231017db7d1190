/**
 * Funding: debits move money from the balance to held and the transaction to `received`; payouts may start. Spec:
 * endpoint 6, Transaction states (funding succeeds). A list of debits is all or nothing. Refusals and their order:
 * decide-funding.ts.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { type Account, readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { type Book, openBook, writeBook } from '../ledger/book.ts';
import { type Outgoing, storeEvents, type TellSenders } from '../webhooks/hand-over.ts';
import type { Debit, DebitRequest } from './debit.ts';
import { insertDebits, readDebits } from './debit-store.ts';
import { decideFunding } from './decide-funding.ts';
import { transactionEvent } from './events.ts';
import { balancesOf, canFund, type Funding, fundInBook } from './fund-in-book.ts';
import { lockWholeTransactions } from './load.ts';
import { needsAllDetails, senderDemands } from './sender-demands.ts';
import { transactionTable } from './states.ts';
import { updateFunded } from './store.ts';
import type { WholeTransaction } from './transaction.ts';

export interface FundCommand {
  readonly call: Call;
  readonly debits: readonly DebitRequest[];
}

export type FundAnswer =
  | { readonly kind: 'funded'; readonly debits: readonly Debit[] }
  /** One list for each debit of the command; an empty one where that debit alone would have passed. */
  | { readonly kind: 'refused'; readonly refusals: readonly (readonly Refusal[])[] }
  | Replayed;

/** What the batch decides on. Each command sees what the earlier ones of its batch have done. */
interface Desk {
  readonly transactions: Map<string, WholeTransaction>;
  readonly book: Book;
  readonly fundings: Funding[];
  /** Of the accounts with a transaction into a corridor in which it matters. */
  readonly terms: ReadonlyMap<string, Account>;
  /** One time for the whole batch. */
  readonly now: Date;
}

export async function fundTransactions(
  ctx: Context,
  commands: readonly FundCommand[],
  outgoing?: Outgoing,
): Promise<FundAnswer[]> {
  const { answers, tellSenders } = await ctx.db.inTx(async (tx) => {
    const [verdicts, desk] = await Promise.all([claimCommands(ctx, tx, commands), load(ctx, tx, commands)]);
    const repeated = commands.filter((_, index) => verdicts[index] === 'repeated');
    const done = await recallFundings(tx, repeated);
    const answers = commands.map((command, index): FundAnswer => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      return done.get(command.call.commandId) ?? decide(ctx, desk, command);
    });
    return { answers, tellSenders: await write(ctx, tx, desk, outgoing) };
  });
  tellSenders(ctx.wake);
  return answers;
}

/** A command whose commit happened although its answer was lost: its debits are there, under its own ids. */
async function recallFundings(tx: Tx, repeated: readonly FundCommand[]): Promise<Map<string, FundAnswer>> {
  if (repeated.length === 0) return new Map();
  const keys = repeated.flatMap(({ call, debits }) =>
    debits.map(({ toId }) => ({ accountId: call.accountId, transactionId: toId })),
  );
  const stored = new Map((await readDebits(tx, keys)).map((debit) => [debit.debitId, debit]));
  const done = repeated.filter(({ debits }) => debits.every(({ debitId }) => stored.has(debitId)));
  return new Map(
    done.map(({ call, debits }) => {
      const found = debits.map(({ debitId }) => present(stored.get(debitId), 'stored debit'));
      return [call.commandId, { kind: 'funded', debits: found }];
    }),
  );
}

async function load(ctx: Context, tx: Tx, commands: readonly FundCommand[]): Promise<Desk> {
  const now = ctx.clock.now();
  const keys = commands.flatMap(({ call, debits }) =>
    debits.map(({ toId }) => ({ accountId: call.accountId, transactionId: toId })),
  );
  const transactions = await lockWholeTransactions(tx, keys);
  const found = [...transactions.values()];
  const strict = found.filter((transaction) => openRecipients(ctx, transaction).some(needsAllDetails));
  const [book, terms] = await Promise.all([
    openBook(
      tx,
      found.flatMap((transaction) => balancesOf(transaction.accountId, transaction.inputCurrency)),
    ),
    readTerms(
      tx,
      strict.map(({ accountId }) => accountId),
    ),
  ]);
  return { transactions, book, fundings: [], terms, now };
}

function decide(ctx: Context, desk: Desk, command: FundCommand): FundAnswer {
  const { accountId } = command.call;
  const taken = new Map<string, bigint>();
  const passed = new Set<string>();
  const refusals = command.debits.map((debit): Refusal[] => {
    const found = desk.transactions.get(debit.toId);
    const transaction = found?.accountId === accountId ? found : undefined;
    const currency = transaction?.inputCurrency;
    const before = taken.get(currency ?? '') ?? 0n;
    const result = decideFunding({
      debit,
      // A second debit for one transaction in the same list finds it funded by the first, where that one passed.
      transaction: transaction && passed.has(debit.toId) ? { ...transaction, fundedAt: desk.now } : transaction,
      now: desk.now,
      isSenderIncomplete: transaction !== undefined && isSenderIncomplete(ctx, desk, transaction),
      switches: { isActive: (type) => ctx.catalogue.payout(type) !== undefined && ctx.switches.isActive(type) },
      canGive: (minor) => currency !== undefined && canFund(desk.book, { accountId, currency }, before + minor),
    });
    if (result.length === 0 && transaction) {
      taken.set(transaction.inputCurrency, before + transaction.inputAmount);
      passed.add(debit.toId);
    }
    return result;
  });
  if (refusals.some((list) => list.length > 0)) return { kind: 'refused', refusals };
  return { kind: 'funded', debits: command.debits.map((debit) => fund(ctx, desk, debit)) };
}

function isSenderIncomplete(ctx: Context, { terms }: Desk, transaction: WholeTransaction): boolean {
  const isReduced = terms.get(transaction.accountId)?.wtr2 === true;
  return senderDemands(transaction.sender, openRecipients(ctx, transaction), isReduced).length > 0;
}

/** Those that are to be paid, with their corridors. */
function openRecipients({ catalogue }: Pick<Context, 'catalogue'>, { recipients }: WholeTransaction) {
  return recipients
    .filter(({ state }) => state !== 'canceled')
    .map((recipient) => ({ ...recipient, corridor: catalogue.payout(recipient.payoutType) }));
}

function fund(ctx: Context, desk: Desk, { toId, debitId, metadata }: DebitRequest): Debit {
  const transaction = present(desk.transactions.get(toId), 'transaction that was decided on');
  const funding = fundInBook(ctx.ids, desk.book, { transaction, debitId, metadata, at: desk.now });
  desk.transactions.set(toId, funding.after);
  desk.fundings.push(funding);
  return funding.debit;
}

async function write(
  ctx: Context,
  tx: Tx,
  { book, fundings, now }: Desk,
  outgoing: Outgoing | undefined,
): Promise<TellSenders> {
  if (fundings.length === 0) {
    await writeBook(tx, book);
    return () => undefined;
  }
  const funded = fundings.map((funding) => funding.after);
  const move = { from: transactionTable.sources('fund'), to: transactionTable.mustMove('approved', 'fund'), at: now };
  const [tellSenders] = await Promise.all([
    storeEvents(
      tx,
      // Open point OP-34.
      funded.map((transaction) => transactionEvent(ctx, 'transaction.paid_in', transaction, now)),
      outgoing,
    ),
    updateFunded(tx, funded, move),
    writeBook(tx, book),
    insertDebits(
      tx,
      fundings.map((funding) => funding.debit),
      book,
    ),
  ]);
  return tellSenders;
}
