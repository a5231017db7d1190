/**
 * POST /v1/transactions/{id}/payout, in the sandbox alone: a funded transaction that was not paid succeeds at once,
 * whatever its provider makes of it later. One that is paid already stays as it is: whoever funds and then asks does
 * not know whether the sandbox was quicker. Refuses with not_funded, under_review and finished. Open point OP-85.
 */
import { type Call, claimCommands, type Replayed } from '../accounts/calls.ts';
import { FirstRuns } from '../accounts/first-runs.ts';
import type { Context } from '../context.ts';
import { isCashType } from '../corridors/corridor-type.ts';
import { present } from '../kernel/assert.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { hear } from '../recipients/hear.ts';
import { isPaid } from '../recipients/proof.ts';
import type { Recipient } from '../recipients/recipient.ts';
import { newAttempt, started } from './decide-due.ts';
import { isOpen, isSent } from './due-at.ts';
import { readLastAttempts } from './last-attempts.ts';
import { lockTransactionsAlone } from './load.ts';
import { payBalance } from './pay-balance.ts';
import type { TransactionKey, WholeTransaction } from './transaction.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface ForcePayoutCommand {
  readonly call: Call;
  readonly transactionId: string;
}

export type ForcePayoutAnswer =
  | { readonly kind: 'paid'; readonly transaction: WholeTransaction }
  | { readonly kind: 'refused'; readonly transaction: WholeTransaction; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'unknown' }
  | Replayed;

type ForceContext = Pick<Context, 'db' | 'ids' | 'catalogue' | 'settings' | 'clock'>;

const firstRuns = new FirstRuns<ForcePayoutAnswer>();

export function forcePayouts(ctx: ForceContext, commands: readonly ForcePayoutCommand[]): Promise<ForcePayoutAnswer[]> {
  return ctx.db.inTx(async (tx) => {
    const verdicts = await claimCommands(ctx, tx, commands);
    const transactions = await lockTransactionsAlone(tx, commands.map(keyOf));
    const attempts = await readLastAttempts(tx, transactions.values());
    const desk = new TransactionDesk(ctx, { transactions, attempts, now: ctx.clock.now() });
    const answers = firstRuns.answers(commands, verdicts, (command) => force(ctx, desk, keyOf(command)));
    await desk.write(tx);
    return answers;
  });
}

function keyOf({ call, transactionId }: ForcePayoutCommand): TransactionKey {
  return { accountId: call.accountId, transactionId };
}

function force(ctx: ForceContext, desk: TransactionDesk, key: TransactionKey): ForcePayoutAnswer {
  const found = desk.find(key);
  if (!found) return { kind: 'unknown' };
  if (isPaidOut(found)) return { kind: 'paid', transaction: found };
  const refusals = decideForce(found);
  if (refusals.length > 0) return { kind: 'refused', transaction: found, refusals };
  if (found.isCollection) payBalance(desk, found);
  else for (const recipient of found.recipients.filter(isOpen)) forceRecipient(ctx, desk, recipient);
  desk.settle(found.transactionId);
  return { kind: 'paid', transaction: desk.current(key) };
}

function decideForce({ fundedAt, state, recipients }: WholeTransaction): Refusal[] {
  if (fundedAt === null) return [refuse('not_funded')];
  if (state === 'processing') return [refuse('under_review')];
  return recipients.some(isOpen) ? [] : [refuse('finished')];
}

/** Everybody who takes part was paid: of a paid transaction, all but those that were canceled before it was funded. */
function isPaidOut({ state, recipients }: WholeTransaction): boolean {
  return state === 'paid' && recipients.every((each) => each.state === 'canceled' || isPaid(each.state));
}

function forceRecipient(ctx: ForceContext, desk: TransactionDesk, before: Recipient): void {
  const provider = before.provider ?? ctx.settings.sandbox.providerName;
  const attempt = isSent(before)
    ? present(desk.attempt(before.attemptId), 'running attempt')
    : newAttempt(before, provider, desk.now);
  const recipient = isSent(before) ? before : started(before, attempt);
  const isCash = isCashType(recipient.payoutType);
  const said = { answer: { kind: 'paid' }, by: 'sandbox' } as const;
  const heard = hear({ recipient, attempt, ...said, isCash, now: desk.now, sureNow: desk.now, policy: desk.policy });
  desk.putAttempt(heard.attempt);
  desk.apply(heard);
}
