/**
 * Creation: POST /v1/transactions, and create_and_fund, which funds in the same commit or creates nothing. Spec:
 * endpoints 1 and 2, Transaction states (creation), Errors 2 and 4. Refusals: decide-create.ts, and for a payout at
 * once those of decide-funding.ts. A refusal leaves neither transaction nor sender nor debit behind.
 */
import { claimCommands } from '../accounts/calls.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { BalancesMoved, openBook, readBook, writeBook } from '../ledger/book.ts';
import { insertPayinMethods } from '../payins/store.ts';
import { insertRecipients } from '../recipients/store.ts';
import type { SenderDecision } from '../senders/decide.ts';
import { writeSenderDesk } from '../senders/desk.ts';
import { type Outgoing, storeEvents, type TellSenders } from '../webhooks/hand-over.ts';
import type { EventRecord } from '../webhooks/outbox.ts';
import type { CreateAnswer, CreateCommand, Created } from './create-command.ts';
import { type CreateDesk, decideAtDesk, openCreateDesk } from './create-desk.ts';
import type { Debit } from './debit.ts';
import { insertDebits } from './debit-store.ts';
import { writtenEvent } from './events.ts';
import { type Decided, showExisting } from './existing.ts';
import { fundInBook } from './fund-in-book.ts';
import { readWholeTransactions } from './load.ts';
import { insertTransactions } from './store.ts';
import { type TransactionText, writeTransaction } from './text.ts';
import type { WholeTransaction } from './transaction.ts';

/** What the batch has decided on so far, ready to be written. */
interface Kept {
  readonly transactions: WholeTransaction[];
  readonly debits: Debit[];
  readonly events: EventRecord[];
}

/**
 * What is funded at once is decided by balances that are only read, and locked behind everything else: batches of the
 * same tenants write at the same time. Where that was too bold, nothing is kept, and it is done under locks.
 */
export async function createTransactions(
  ctx: Context,
  commands: readonly CreateCommand[],
  outgoing?: Outgoing,
): Promise<CreateAnswer[]> {
  try {
    return await createIn(ctx, commands, { open: readBook, outgoing });
  } catch (fault) {
    if (!(fault instanceof BalancesMoved)) throw fault;
    return createIn(ctx, commands, { open: openBook, outgoing });
  }
}

async function createIn(
  ctx: Context,
  commands: readonly CreateCommand[],
  { open, outgoing }: { readonly open: typeof openBook; readonly outgoing: Outgoing | undefined },
): Promise<CreateAnswer[]> {
  const { answers, tellSenders } = await ctx.db.inTx(async (tx) => {
    // Together, so also for replayed calls: what the desk holds for them is given back, like for any refusal.
    const [verdicts, desk] = await Promise.all([
      claimCommands(ctx, tx, commands),
      openCreateDesk(ctx, tx, commands, { now: ctx.clock.now(), isDryRun: false, open }),
    ]);
    const repeated = commands.filter((_, index) => verdicts[index] === 'repeated');
    // A command whose commit happened although its answer was lost: its transaction is there, under its own id.
    const done = await readWholeTransactions(
      tx,
      repeated.map(({ call, transactionId }) => ({ accountId: call.accountId, transactionId })),
    );
    const kept: Kept = { transactions: [], debits: [], events: [] };
    const decided = commands.map((command, index): Decided => {
      if (verdicts[index] === 'replayed') return { kind: 'replayed' };
      const known = done.get(command.transactionId);
      return known ? createdAs(writeTransaction(known)) : decide(ctx, desk, kept, command);
    });
    const tellSenders = await write(ctx, tx, desk, kept, outgoing);
    return { answers: await showExisting(tx, decided, kept.transactions), tellSenders };
  });
  tellSenders(ctx.wake);
  return answers;
}

function decide(ctx: Context, desk: CreateDesk, kept: Kept, command: CreateCommand): Decided {
  const decision = decideAtDesk(ctx, desk, command);
  if (decision.kind === 'rates_stale') return decision;
  const { accountId } = command.call;
  if (decision.kind === 'refuse') {
    return { kind: 'refused', accountId, refusals: decision.refusals, existing: decision.existing };
  }
  return keep(ctx, desk, kept, command, decision);
}

function createdAs(text: TransactionText): Created {
  return { kind: 'created', transaction: text.transaction, text };
}

/** Takes the transaction into the working copies, funded where that was asked for. After the decision this succeeds. */
function keep(
  ctx: Context,
  desk: CreateDesk,
  kept: Kept,
  command: CreateCommand,
  { transaction, sender }: { transaction: WholeTransaction; sender: SenderDecision },
): Created {
  const { accountId, transactionId, externalId } = transaction;
  desk.senders.keep(sender);
  if (externalId !== null) desk.externalIds.take(accountId, externalId, transactionId);
  const created = writeTransaction(transaction);
  // Open point OP-71.
  kept.events.push(writtenEvent(ctx, 'transaction.created', created, desk.now));
  if (!command.isFunded) {
    kept.transactions.push(transaction);
    return createdAs(created);
  }
  const wanted = { transaction, debitId: command.debitId, metadata: {}, at: desk.now };
  const { after, debit } = fundInBook(ctx.ids, desk.book, wanted);
  kept.transactions.push(after);
  kept.debits.push(debit);
  const paidIn = writeTransaction(after, created);
  // Open point OP-34.
  kept.events.push(writtenEvent(ctx, 'transaction.paid_in', paidIn, desk.now));
  return createdAs(paidIn);
}

/**
 * Nothing here depends on an answer, so all of it is asked for together; what others wait for, the balances, comes
 * last.
 */
async function write(
  ctx: Context,
  tx: Tx,
  desk: CreateDesk,
  kept: Kept,
  outgoing: Outgoing | undefined,
): Promise<TellSenders> {
  const senders = writeSenderDesk(tx, ctx.files, desk.senders);
  // Files may be large: nobody waits for a balance meanwhile.
  if (desk.senders.shelf.added().length > 0) await senders;
  const [tellSenders] = await Promise.all([
    storeEvents(tx, kept.events, outgoing),
    senders,
    desk.externalIds.settle(tx),
    insertTransactions(tx, kept.transactions),
    insertRecipients(
      tx,
      kept.transactions.flatMap((transaction) => transaction.recipients),
    ),
    insertPayinMethods(
      tx,
      kept.transactions.flatMap((transaction) => transaction.payinMethods),
    ),
    writeBook(tx, desk.book),
    insertDebits(tx, kept.debits, desk.book),
  ]);
  return tellSenders;
}
