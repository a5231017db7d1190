/**
 * What operators decide about transactions under review: let them go on, or cancel what is open. In the transaction of
 * the caller, who writes the audit row into the same commit. Open point OP-205.
 */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import type { Hold, HoldDecision } from '../holds/hold.ts';
import { readHolds } from '../holds/hold-store.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { cancelAtDesk } from './cancel.ts';
import { isOpen } from './due-at.ts';
import { versionOf } from './held-version.ts';
import { type HoldDesk, openHoldDesk } from './hold-desk.ts';
import { readLastAttempts } from './last-attempts.ts';
import { lockTransactionsAlone, readWholeTransactions } from './load.ts';
import { findTransactionOwner } from './owner-store.ts';
import { recipientAt } from './recipient-desk.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface HoldOrder {
  readonly do: 'release' | 'cancel';
  readonly by: OperatorCommand;
  readonly reason: string;
  /** What the operator looked at (held-version.ts); undefined: it is not compared. */
  readonly asOf?: string | undefined;
}

/** A transaction with everything that ever held it. */
export interface HeldTransaction {
  readonly transaction: WholeTransaction;
  readonly holds: readonly Hold[];
}

type HoldOrderResult =
  | { readonly kind: 'done'; readonly before: HeldTransaction; readonly after: HeldTransaction }
  | { readonly kind: 'refused'; readonly why: OperatorRefusalCode };

interface Desks {
  readonly desk: TransactionDesk;
  readonly holds: HoldDesk;
}

/** When, by whom and why. */
type Decision = Omit<HoldDecision, 'what'>;

type OrderContext = Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>;

/** Refuses with transaction_not_found, not_held, edited_since, sender_holds, not_cancelable. */
export async function orderHeld(
  ctx: OrderContext,
  tx: Tx,
  transactionId: string,
  order: HoldOrder,
): Promise<HoldOrderResult> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return { kind: 'refused', why: 'transaction_not_found' };
  const transactions = await lockTransactionsAlone(tx, [key]);
  const attempts = await readLastAttempts(tx, transactions.values());
  const desk = new TransactionDesk(ctx, { transactions, attempts, now: ctx.clock.now(), by: order.by });
  const holds = await openHoldDesk(ctx, tx, { transactions: desk.transactions(), hasRules: false });
  const before = shownAt(desk, holds, key);
  const { state } = before.transaction;
  // One that broke under review can be decided on, too. Open point OP-235.
  const isHeld = state === 'processing' || (state === 'exception' && holds.open(key).length > 0);
  const why = isHeld ? carryOut({ desk, holds }, key, order) : 'not_held';
  if (why !== undefined) return { kind: 'refused', why };
  await holds.write(tx);
  await desk.write(tx);
  return { kind: 'done', before, after: shownAt(desk, holds, key) };
}

function shownAt(desk: TransactionDesk, holds: HoldDesk, key: TransactionKey): HeldTransaction {
  return { transaction: desk.current(key), holds: holds.of(key) };
}

/** Undefined when it was done, otherwise why not. */
function carryOut(
  at: Desks,
  key: TransactionKey,
  { do: what, by: { operator: by }, reason, asOf }: HoldOrder,
): OperatorRefusalCode | undefined {
  if (asOf !== undefined && asOf !== versionOf(at.desk.current(key))) return 'edited_since';
  const decision = { at: at.desk.now, by, reason };
  return what === 'release' ? release(at, key, decision) : cancel(at, key, decision);
}

function release({ desk, holds }: Desks, key: TransactionKey, decision: Decision): OperatorRefusalCode | undefined {
  const { sender, isCollection } = desk.current(key);
  // A deleted sender is never approved again, and a collection is not canceled: its money would stay for ever.
  const isStranded = isCollection && sender.state === 'disabled';
  // The sender is decided on as a sender; its transactions then follow by themselves.
  const isOurs = (hold: Hold) => hold.reason === 'rules' || isStranded;
  if (!holds.open(key).some(isOurs)) return 'sender_holds';
  holds.decide(key, { what: 'released', ...decision }, isStranded ? undefined : 'rules');
  holds.review(desk, key);
  desk.settle(key.transactionId);
  return undefined;
}

function cancel({ desk, holds }: Desks, key: TransactionKey, decision: Decision): OperatorRefusalCode | undefined {
  const { recipients, isCollection } = desk.current(key);
  const open = recipients.filter(isOpen);
  // What a payer has paid goes back as a refund of the collection, once it is released. Open point OP-169.
  if (open.length === 0 || isCollection) return 'not_cancelable';
  holds.decide(key, { what: 'canceled', ...decision });
  for (const recipient of open) cancelAtDesk(desk, recipientAt(desk, recipient));
  return undefined;
}

export async function showHeld(tx: Tx, transactionId: string): Promise<HeldTransaction | undefined> {
  const key = await findTransactionOwner(tx, transactionId);
  if (key === undefined) return undefined;
  const [transactions, holds] = await Promise.all([readWholeTransactions(tx, [key]), readHolds(tx, [key])]);
  return { transaction: present(transactions.get(key.transactionId), 'the transaction that was found'), holds };
}
