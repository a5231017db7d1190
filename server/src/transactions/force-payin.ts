/**
 * POST /v1/transactions/{id}/payin, in the sandbox alone: a payment arrives now, of the amount that is due or of the
 * one that is asked for, whatever the provider makes of its prompt. It is treated as every payment: what comes too late
 * goes to suspense. Refuses with not_a_collection, not_in_list, sender_not_approved and what the amount refuses. OP-85.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import { accepted, type Checked, type Refusal, refuse, refused } from '../kernel/refusal.ts';
import { isObject } from '../kernel/storable.ts';
import { parseReceivedAmount } from '../money/parse.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { openCollections } from './payin-desk.ts';
import { expireOverdue, payinAt } from './payin-steps.ts';
import { receivePayment } from './receive-payin.ts';
import { schedulePayin } from './schedule-payin.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export interface ForcePayinCommand {
  readonly call: Call;
  readonly transactionId: string;
  /** The payin method as the caller wrote it, without a wrapper. */
  readonly input: unknown;
}

export type ForcePayinAnswer =
  | { readonly kind: 'received'; readonly transaction: WholeTransaction }
  | { readonly kind: 'refused'; readonly transaction: WholeTransaction; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'unknown' }
  | Replayed;

type ForceContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings' | 'clock'>;

const firstRuns = new FirstRuns<ForcePayinAnswer>();

export function forcePayins(ctx: ForceContext, commands: readonly ForcePayinCommand[]): Promise<ForcePayinAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const desk = await openCollections(ctx, tx, commands.map(keyOf));
    const answers = firstRuns.answers(commands, verdicts, (command) => force(ctx, desk, command));
    await desk.write(tx);
    return answers;
  });
}

function keyOf({ call, transactionId }: ForcePayinCommand): TransactionKey {
  return { accountId: call.accountId, transactionId };
}

function force(ctx: ForceContext, desk: TransactionDesk, command: ForcePayinCommand): ForcePayinAnswer {
  const { call, input } = command;
  const key = keyOf(command);
  const transaction = desk.find(key);
  if (!transaction) return { kind: 'unknown' };
  const wanted = decideForce(transaction, input);
  if (!wanted.ok) return { kind: 'refused', transaction, refusals: wanted.refusals };
  receive(ctx, desk, transaction, wanted.value, call.commandId);
  return { kind: 'received', transaction: desk.current(key) };
}

interface Forced {
  readonly method: PayinMethod;
  readonly minor: bigint;
}

function decideForce(transaction: WholeTransaction, input: unknown): Checked<Forced> {
  const { payinMethods, state, inputAmount, paidAmount, inputCurrency } = transaction;
  const given = isObject(input) ? input : {};
  const { type, amount: written } = given;
  if (!transaction.isCollection) return refused(refuse('not_a_collection'));
  if (state === 'initial') return refused(refuse('sender_not_approved'));
  const wanted = type === undefined || type === null ? payinMethods[0]?.type : type;
  const method = payinMethods.find((each) => each.type === wanted);
  if (method === undefined) return refused(refuse('not_in_list', 'type'));
  // Of one that is paid nothing is due: the whole comes a second time.
  const due = paidAmount < inputAmount ? inputAmount - paidAmount : inputAmount;
  if (written === undefined || written === null) return accepted({ method, minor: due });
  const parsed = parseReceivedAmount(written, inputCurrency);
  if (parsed.ok) return accepted({ method, minor: parsed.value.minor });
  return refused(...parsed.refusals.map(({ code }) => refuse(code, 'amount')));
}

function receive(
  ctx: ForceContext,
  desk: TransactionDesk,
  transaction: WholeTransaction,
  { method, minor }: Forced,
  commandId: string,
): void {
  expireOverdue(desk, transaction);
  const provider = ctx.settings.sandbox.providerName;
  const payment = { reference: `on-demand-${commandId}`, minor, provider, attemptId: null };
  receivePayment(ctx, desk, payinAt(desk, method).method, payment);
  schedulePayin(ctx, desk, method, {});
}
