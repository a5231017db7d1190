/**
 * PATCH and DELETE /v1/payin_methods/{id}, and POST .../retry: other details or the one-time code, no more money, or
 * another prompt. Published. Open points OP-18, OP-175 and OP-176. Refuses with not_editable, with what details and
 * flow refuse, not_cancelable, not_retriable, expired.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import { checkInDetails } from '../corridors/check-details.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import type { PayinMethod, PayinMethodKey } from '../payins/payin-method.ts';
import { openPayinDesk } from './payin-desk.ts';
import { draftFlow, inFlow, nextFlow, renewed } from './payin-flow.ts';
import { cancelPayin, expireOverdue, isUnpaid, type PayinAtDesk, payinAt, retryPayin } from './payin-steps.ts';
import { schedulePayin } from './schedule-payin.ts';
import type { TransactionDesk } from './transaction-desk.ts';

export interface PayinChangeCommand {
  readonly call: Call;
  readonly payinMethodId: string;
  readonly wish:
    | { readonly kind: 'edit'; readonly input: unknown }
    | { readonly kind: 'cancel' }
    | { readonly kind: 'retry' };
}

export type PayinChangeAnswer =
  | ({ readonly kind: 'done' } & PayinAtDesk)
  | ({ readonly kind: 'refused'; readonly refusals: readonly Refusal[] } & PayinAtDesk)
  /** No such payin method of this account. */
  | { readonly kind: 'unknown' }
  | Replayed;

type ChangeContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings' | 'clock'>;

/** A payer is prompted once for each wish, whatever became of the prompt before the wish is run again. */
const firstRuns = new FirstRuns<PayinChangeAnswer>();

export function changePayinMethods(
  ctx: ChangeContext,
  commands: readonly PayinChangeCommand[],
): Promise<PayinChangeAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const open = await openPayinDesk(ctx, tx, commands.map(keyOf));
    const answers = firstRuns.answers(commands, verdicts, (command): PayinChangeAnswer => {
      const found = open.find(keyOf(command));
      if (!found) return { kind: 'unknown' };
      const refusals = change(ctx, open.desk, found, command);
      const after = payinAt(open.desk, found.method);
      return refusals.length > 0 ? { kind: 'refused', ...after, refusals } : { kind: 'done', ...after };
    });
    await open.desk.write(tx);
    return answers;
  });
}

function keyOf({ call, payinMethodId }: PayinChangeCommand): PayinMethodKey {
  return { accountId: call.accountId, payinMethodId };
}

function change(
  ctx: ChangeContext,
  desk: TransactionDesk,
  found: PayinAtDesk,
  { wish }: PayinChangeCommand,
): Refusal[] {
  // Refused from the first moment of expiry on; the worker may not have come by yet.
  expireOverdue(desk, found.transaction);
  const current = payinAt(desk, found.method);
  switch (wish.kind) {
    case 'edit':
      return edit(ctx, desk, current, wish.input);
    case 'cancel':
      return cancel(ctx, desk, current);
    case 'retry':
      return retry(ctx, desk, current);
  }
}

/**
 * What was sent stays as it was sent: an edit is for the next prompt, except that the one-time code goes to the
 * provider at once. One in error is prompted again, if anything is named: a retry without an edit has a route of its
 * own. Open point OP-175.
 */
function edit(ctx: ChangeContext, desk: TransactionDesk, at: PayinAtDesk, input: unknown): Refusal[] {
  if (!isObject(input)) return [refuse(isBlank(input) ? 'blank' : 'invalid')];
  const { method, transaction } = at;
  const { type, in_details, ux_flow } = input;
  const changes = in_details ?? {};
  // Whoever names another type would believe that the payer is asked in another way.
  if (!isBlank(type) && type !== method.type) return [refuse('not_editable', 'type')];
  if (!isObject(changes)) return [refuse('invalid', 'in_details')];
  if (Object.keys(changes).length === 0 && isBlank(ux_flow)) return [];
  const inDetails = { ...method.inDetails, ...changes };
  // The code of an earlier prompt, named once more, is for this one.
  const awaitsCode = method.state === 'incomplete' && !method.otpGiven && 'otp' in changes;
  const isSame = isDeepStrictEqual(inDetails, method.inDetails) && (isBlank(ux_flow) || ux_flow === method.uxFlow);
  if (isSame && !awaitsCode && !method.otpRejected && method.state !== 'error') return [];
  if (!isUnpaid(method) || method.cancelRequestedAt !== null) return [refuse('not_editable')];
  const { after, refusals } = decideEdit(ctx, desk, at, { inDetails, uxFlow: ux_flow });
  if (refusals.length > 0) return refusals;
  if (method.state === 'error') {
    if (transaction.state !== 'approved') return [refuse('not_editable')];
    retryPayin(desk, { ...after, errorCount: 0 });
    return [];
  }
  const { otp } = changes;
  const isCode = method.state === 'incomplete' && typeof otp === 'string' && otp !== '';
  desk.applyPayin(isCode ? { ...after, otpGiven: true, otpRejected: false } : after);
  if (isCode) schedulePayin(ctx, desk, method, {});
  return [];
}

/** The flow of an open prompt is what its payer sees: it is not another one before the next prompt. OP-171. */
function decideEdit(
  { catalogue }: ChangeContext,
  desk: TransactionDesk,
  at: PayinAtDesk,
  given: { readonly inDetails: unknown; readonly uxFlow: unknown },
): { readonly after: PayinMethod; readonly refusals: Refusal[] } {
  const { method, transaction } = at;
  const corridor = catalogue.payin(method.type);
  // Its file is gone: nothing that is sent could be checked.
  if (corridor === undefined) return { after: method, refusals: [refuse('corridor_not_active')] };
  const last = desk.payins.attempt(method.attemptId);
  const { details: inDetails, refusals: faults } = checkInDetails(corridor, given.inDetails);
  const refusals = faults.map(({ code, path }) => refuse(code, 'in_details', ...path));
  const uxFlow = draftFlow(given.uxFlow, corridor, nextFlow(corridor, method, last, inDetails), refusals);
  const after = { ...method, inDetails };
  if (last?.outcome !== null) return { after: inFlow(corridor, { method: after, transaction }, uxFlow), refusals };
  if (uxFlow !== method.uxFlow) refusals.push(refuse('not_editable', 'ux_flow'));
  return { after, refusals };
}

/** An open prompt is taken back first: a payer who is quicker has paid. Asking again changes nothing. OP-176. */
function cancel(ctx: ChangeContext, desk: TransactionDesk, { method }: PayinAtDesk): Refusal[] {
  if (method.state === 'canceled' || (isUnpaid(method) && method.cancelRequestedAt !== null)) return [];
  if (!isUnpaid(method)) return [refuse('not_cancelable')];
  if (desk.payins.attempt(method.attemptId)?.outcome !== null) {
    cancelPayin(desk, method);
    return [];
  }
  desk.applyPayin({ ...method, cancelRequestedAt: desk.now });
  schedulePayin(ctx, desk, method, {});
  return [];
}

function retry(ctx: ChangeContext, desk: TransactionDesk, at: PayinAtDesk): Refusal[] {
  const { method, transaction } = at;
  if (transaction.state === 'canceled') return [refuse(desk.now < transaction.expiresAt ? 'canceled' : 'expired')];
  if (method.state !== 'error' || transaction.state !== 'approved') return [refuse('not_retriable')];
  const last = desk.payins.attempt(method.attemptId);
  retryPayin(desk, { ...renewed(ctx, at, last), errorCount: 0 });
  return [];
}
