/**
 * What operators order for recipients: retry, mark paid, mark failed, cancel. A batch like every operation, in the
 * transaction of the caller, who writes the audit row into the same commit. Open points OP-159, OP-160 and OP-161.
 */
import type { OperatorCommand } from '../accounts/audit.ts';
import type { OperatorRefusalCode } from '../accounts/operator-refusals.ts';
import type { Context } from '../context.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { readReleases } from '../ledger/release-store.ts';
import { readPaidTotals } from '../recipients/attempt-store.ts';
import type { RecipientKey } from '../recipients/recipient.ts';
import { cancelAtDesk } from './cancel.ts';
import { type Decision, decideGiveBack, decideOrder, type Order, type OrderFacts, partOf } from './decide-order.ts';
import { type AtDesk, openRecipientDesk, type RecipientDesk } from './recipient-desk.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export type OperatorOrder = RecipientKey & { readonly order: Order | { readonly do: 'cancel' } };

type OrderResult =
  | { readonly kind: 'done'; readonly before: AtDesk; readonly after: AtDesk }
  | { readonly kind: 'refused'; readonly why: OperatorRefusalCode; readonly before: AtDesk }
  /** No such recipient of this account. */
  | { readonly kind: 'unknown' };

/** What the books and the attempts before the last one say about a recipient, and how the audit log names the order. */
interface KnownOf extends Pick<OrderFacts, 'auditId'> {
  readonly releasedBy: string | undefined;
  readonly paidTotal: bigint | null;
}

type OperateContext = Pick<Context, 'ids' | 'catalogue' | 'settings' | 'clock'>;

export async function operateRecipients(
  ctx: OperateContext,
  tx: Tx,
  orders: readonly OperatorOrder[],
  by: OperatorCommand,
): Promise<OrderResult[]> {
  const open = await openRecipientDesk(ctx, tx, orders, by);
  const releases = await readReleases(tx, open.desk.transactions());
  const paid = await readPaidTotals(tx, orders);
  const known = (recipientId: string) => ({
    auditId: by.commandId,
    releasedBy: releases.get(recipientId),
    paidTotal: paid.get(recipientId) ?? null,
  });
  const results = orders.map((order) => operate(open, known(order.recipientId), order));
  await open.desk.write(tx);
  return results;
}

function operate(open: RecipientDesk, known: KnownOf, command: OperatorOrder): OrderResult {
  const before = open.find(command);
  if (before === undefined) return { kind: 'unknown' };
  const why = carryOut(open.desk, before, known, command.order);
  if (why !== undefined) return { kind: 'refused', why, before };
  return { kind: 'done', before, after: present(open.find(command), 'recipient at the desk') };
}

/** Undefined when it was done, otherwise why not. */
function carryOut(
  desk: TransactionDesk,
  at: AtDesk,
  known: KnownOf,
  order: OperatorOrder['order'],
): OperatorRefusalCode | undefined {
  const isBroken = at.recipient.state === 'exception';
  if (order.do === 'cancel' && !isBroken) {
    return cancelAtDesk(desk, at) === 'refused' ? 'not_cancelable' : undefined;
  }
  const facts = factsOf(desk, at, known);
  const decision: Decision = order.do === 'cancel' ? decideGiveBack(facts) : decideOrder(facts, order);
  if (!decision.ok) return decision.why;
  if (decision.attempt) desk.putAttempt(decision.attempt);
  desk.apply(decision.effect);
  leaveException(desk, at);
  desk.settle(at.transaction.transactionId);
  return undefined;
}

function factsOf(
  desk: TransactionDesk,
  { transaction, recipient }: AtDesk,
  { releasedBy, paidTotal, auditId }: KnownOf,
): OrderFacts {
  return {
    recipient,
    transaction,
    attempt: desk.attempt(recipient.attemptId),
    paidTotal,
    part: partOf(transaction, releasedBy),
    isCash: isCashType(recipient.payoutType),
    auditId,
    now: desk.now,
    policy: desk.policy,
  };
}

/** Once the last of its recipients was decided on, a transaction goes on: its recipients then say where to. */
function leaveException(desk: TransactionDesk, { transaction }: AtDesk): void {
  const { state, recipients, fundedAt } = desk.current(transaction);
  if (state !== 'exception' || recipients.some((recipient) => recipient.state === 'exception')) return;
  desk.move(transaction.transactionId, fundedAt === null ? 'abandon' : 'resolve');
}
