/**
 * The working copy of transactions that move: what a batch of answers, cancellations or due work decides on. Each step
 * sees the steps before it; money, states and events are written together. The transaction follows its recipients by
 * the derivation table after each change. Locks: the transactions' rows, then balances.
 */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { Context } from '../context.ts';
import { endOpenHolds } from '../holds/hold-store.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { Wake } from '../kernel/wake.ts';
import { Book, writeBook } from '../ledger/book.ts';
import type { Transfer } from '../ledger/entry.ts';
import { PAYIN_MOVE_EVENTS, type PayinEventName } from '../payins/events.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { type PayinMethodMove, payinMethodTable } from '../payins/states.ts';
import { updatePayinMethods } from '../payins/store.ts';
import type { Attempt } from '../recipients/attempt.ts';
import { insertAttempts, updateAttempts } from '../recipients/attempt-store.ts';
import type { Canceler } from '../recipients/canceler.ts';
import type { Effect } from '../recipients/effects.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { updateCanceled, updateRecipients } from '../recipients/update-store.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { AttemptBook } from './attempt-book.ts';
import { needsPeople } from './attention.ts';
import { updateCollected } from './collected-store.ts';
import { deriveMove, eventOfMove } from './derive.ts';
import { dueAtOf } from './due-at.ts';
import { EventBook } from './event-book.ts';
import { PayinBook } from './payin-book.ts';
import { entryOf } from './payout-entries.ts';
import { type TransactionMove, type TransactionState, transactionTable } from './states.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import { updateMoved } from './update-store.ts';

type DeskContext = Pick<Context, 'ids' | 'catalogue' | 'settings'>;

const UNDER_REVIEW: TransactionState = 'processing';
const ENDS: readonly TransactionState[] = ['paid', 'canceled', 'refunded'];

export class TransactionDesk {
  readonly now: Date;
  /** Prompts and payments of collections. */
  readonly payins: PayinBook;
  readonly #ctx: DeskContext;
  readonly #before: ReadonlyMap<string, WholeTransaction>;
  readonly #transactions: Map<string, WholeTransaction>;
  readonly #attempts: AttemptBook<Attempt>;
  readonly #transfers: Transfer[] = [];
  readonly #events: EventBook;
  readonly #outgoing: Outgoing | undefined;
  readonly #by: OperatorCommand | undefined;
  readonly #looksAtHolds: boolean;
  readonly #endedInReview: TransactionKey[] = [];
  #leavesWork = false;

  constructor(
    ctx: DeskContext,
    loaded: {
      transactions: ReadonlyMap<string, WholeTransaction>;
      attempts: readonly Attempt[];
      payins?: PayinBook;
      now: Date;
      outgoing?: Outgoing | undefined;
      /** The operator who does it; without one it is a caller, or the program by itself. */
      by?: OperatorCommand | undefined;
      /** Reviews are looked at as well: without that, one whose end was asked for is left to who looks at it. */
      looksAtHolds?: true;
    },
  ) {
    this.#ctx = ctx;
    this.#outgoing = loaded.outgoing;
    this.#by = loaded.by;
    this.#looksAtHolds = loaded.looksAtHolds ?? false;
    this.payins = loaded.payins ?? new PayinBook([]);
    this.now = loaded.now;
    this.#events = new EventBook(ctx, loaded.now);
    this.#before = new Map(loaded.transactions);
    this.#transactions = new Map(loaded.transactions);
    this.#attempts = new AttemptBook(loaded.attempts);
  }

  transactions(): readonly WholeTransaction[] {
    return [...this.#transactions.values()];
  }

  /** Undefined: no such transaction of that account. */
  find({ accountId, transactionId }: TransactionKey): WholeTransaction | undefined {
    const found = this.#transactions.get(transactionId);
    return found?.accountId === accountId ? found : undefined;
  }

  /** As the steps before have left it, for a caller that has found it: here a missing one is a bug. */
  current(key: TransactionKey): WholeTransaction {
    return present(this.find(key), 'transaction at the desk');
  }

  attempt(attemptId: string | null): Attempt | undefined {
    return this.#attempts.find(attemptId);
  }

  putAttempt(attempt: Attempt): void {
    this.#attempts.put(attempt);
  }

  putTransaction(transaction: WholeTransaction): void {
    this.#transactions.set(transaction.transactionId, transaction);
  }

  /** Takes over a recipient that changes by itself: no money moves and nobody is told. */
  putRecipient(recipient: Recipient): void {
    const transaction = this.#transaction(recipient.transactionId);
    this.putTransaction({
      ...transaction,
      recipients: transaction.recipients.map((each) => (each.recipientId === recipient.recipientId ? recipient : each)),
    });
  }

  /** Takes over what was decided for a recipient: its state, the money, the events. */
  apply({ recipient, money, events }: Effect): void {
    let after = recipient;
    for (const effect of money) {
      this.post(entryOf(this.#ctx.ids, this.#transaction(recipient.transactionId), recipient, effect, this.now));
    }
    for (const event of events) {
      after = { ...after, eventCount: after.eventCount + 1 };
      this.#events.ofRecipient(after, event);
    }
    this.putRecipient(after);
  }

  /** Takes over what was decided for a payin method. An event shows it as it is at this step. */
  applyPayin(method: PayinMethod, event: PayinEventName | null = null): void {
    const after = event === null ? method : { ...method, eventCount: method.eventCount + 1 };
    const transaction = this.#transaction(method.transactionId);
    if (event !== null) this.#events.ofPayin(after, event, transaction);
    this.putTransaction({
      ...transaction,
      payinMethods: transaction.payinMethods.map((each) => (each.payinMethodId === after.payinMethodId ? after : each)),
    });
  }

  /** Moves a payin method by name, sending the event that belongs to the move. */
  movePayin(method: PayinMethod, move: PayinMethodMove): void {
    const state = payinMethodTable.mustMove(method.state, move);
    this.applyPayin({ ...method, state }, PAYIN_MOVE_EVENTS[move]);
  }

  /** Money that moves with everything else in the same commit. */
  post(transfers: readonly Transfer[]): void {
    this.#transfers.push(...transfers);
  }

  /** Moves a transaction by name, sending the event that belongs to the step. */
  move(transactionId: string, move: TransactionMove): void {
    const transaction = this.#transaction(transactionId);
    const to = transactionTable.mustMove(transaction.state, move);
    const event = eventOfMove({ move, to }, transaction.isCollection);
    const after = { ...transaction, state: to, eventCount: transaction.eventCount + (event ? 1 : 0) };
    this.putTransaction(after);
    if (transaction.state === UNDER_REVIEW && ENDS.includes(to)) this.#endedInReview.push(transaction);
    if (event) this.#events.ofTransaction(after, event);
  }

  /** Lets the transaction follow its recipients. `resumes`: one of them is tried again. */
  settle(transactionId: string, { resumes = false } = {}): void {
    const transaction = this.#transaction(transactionId);
    const states = takingPart(transaction).map((recipient) => recipient.state);
    const isStalled = states.includes('manual') || states.includes('stuck');
    if (resumes && transaction.state === 'manual' && !isStalled) this.move(transactionId, 'resume');
    const current = this.#transaction(transactionId).state;
    const move = deriveMove(current, states);
    if (move !== undefined) this.move(transactionId, move);
  }

  /** After the holds, where they are at a desk of their own: what was decided about them is not ended once more. */
  async write(tx: Tx): Promise<void> {
    const { policy } = this;
    const changed = [...this.#transactions.values()].filter((each) => this.#before.get(each.transactionId) !== each);
    const recipients = changed.flatMap((transaction) => this.#changedRecipients(transaction));
    const moves = changed.map((transaction) => ({
      transaction,
      from: this.#asItWas(transaction).state,
      dueAt: dueAtOf(transaction, policy, this.now),
      // What holds it is not known at every desk: a sender that is approved again asks for a look by its time alone.
      unseenAt: this.#looksAtHolds || transaction.state !== UNDER_REVIEW ? null : this.now,
      isClaimed: [...transaction.recipients, ...transaction.payinMethods].some((each) => each.isClaimed),
      attentionAt: needsPeople(transaction, this.now, this.#ctx.settings.payins) ? this.now : null,
    }));
    this.#leavesWork = moves.some(({ dueAt }) => dueAt !== null && dueAt <= this.now);
    const collections = changed.filter((transaction) => transaction.isCollection);
    const book = new Book([]);
    book.post(this.#transfers);
    await Promise.all([
      insertAttempts(tx, this.#attempts.added()),
      updateAttempts(tx, this.#attempts.changed()),
      updateRecipients(tx, recipients),
      updateCanceled(
        tx,
        recipients.filter((recipient) => this.#isEndOther(recipient)),
      ),
      updateMoved(tx, moves),
      endOpenHolds(tx, this.#endedInReview, { at: this.now, by: this.#by?.operator ?? null }),
      updateCollected(
        tx,
        collections.map((after) => ({ before: this.#asItWas(after), after })),
      ),
      updatePayinMethods(
        tx,
        collections.flatMap((transaction) => this.#changedPayins(transaction)),
      ),
      this.payins.write(tx),
      this.#events.write(tx, this.#transactions, this.#outgoing),
      writeBook(tx, book),
    ]);
  }

  /** To be called after the commit: wakes who has something to do now, and nobody for nothing. */
  wake(wake: Wake): void {
    this.wakeDeliveries(wake);
    if (this.#leavesWork) wake.wake('transactions');
  }

  /** The same, where no work can be left. */
  wakeDeliveries(wake: Wake): void {
    this.#events.tell(wake);
  }

  /** Who cancels at this desk, where it is an operator. */
  get operator(): Canceler | undefined {
    return this.#by && { canceledBy: 'operator', cancelAuditId: this.#by.commandId };
  }

  get policy() {
    return this.#ctx.settings.payouts;
  }

  #transaction(transactionId: string): WholeTransaction {
    return present(this.#transactions.get(transactionId), 'transaction at the desk');
  }

  #asItWas({ transactionId }: WholeTransaction): WholeTransaction {
    return present(this.#before.get(transactionId), 'transaction as it was');
  }

  #changedRecipients(transaction: WholeTransaction): Recipient[] {
    const before = new Set(this.#before.get(transaction.transactionId)?.recipients);
    return transaction.recipients.filter((recipient) => !before.has(recipient));
  }

  /** Who canceled it, or when it ended, is not stored yet: of one that its provider is asked about again, both are. */
  #isEndOther({ transactionId, recipientId, canceledBy, cancelAuditId, endedAt }: Recipient): boolean {
    if (canceledBy === null && endedAt === null) return false;
    const before = this.#before.get(transactionId)?.recipients.find((each) => each.recipientId === recipientId);
    return canceledBy !== before?.canceledBy || cancelAuditId !== before.cancelAuditId || endedAt !== before.endedAt;
  }

  #changedPayins(transaction: WholeTransaction): PayinMethod[] {
    const before = new Set(this.#before.get(transaction.transactionId)?.payinMethods);
    return transaction.payinMethods.filter((method) => !before.has(method));
  }
}

/**
 * The recipients that decide the state. Once funded, one that is `canceled` was so before and got no money: the others
 * decide without it, so that nothing is called refunded that was never paid in.
 */
function takingPart({ fundedAt, recipients }: WholeTransaction): readonly Recipient[] {
  const funded = fundedAt === null ? [] : recipients.filter((recipient) => recipient.state !== 'canceled');
  return funded.length > 0 ? funded : recipients;
}
