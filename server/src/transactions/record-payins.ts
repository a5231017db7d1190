/**
 * Records what payin providers said about prompts: one batch, one commit for states, money and events. Safe to be told
 * the same thing twice and in any order. Spec: Transaction states (payin), Events (payin_method).
 */
import type { Context } from '../context.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import { sqlState, UNIQUE_VIOLATION } from '../kernel/database.ts';
import type { PayinAttempt, PayinAttemptKey } from '../payins/attempt.ts';
import type { PayinMethod } from '../payins/payin-method.ts';
import { referenceIn } from '../payins/receipt.ts';
import { readKnownPayments } from '../payins/receipt-store.ts';
import { contradictsFailure } from '../payins/state-reason.ts';
import { payinMethodTable } from '../payins/states.ts';
import { hearPayin, type PayinSaid } from './hear-payin.ts';
import { readLastPrompts } from './last-attempts.ts';
import { lockTransactionsAlone } from './load.ts';
import { PayinBook } from './payin-book.ts';
import { type PayinAtDesk, payinAt } from './payin-steps.ts';
import { type PayinTimes, schedulePayin } from './schedule-payin.ts';
import { transactionTable } from './states.ts';
import { TransactionDesk } from './transaction-desk.ts';

export interface PayinCommand extends PayinAttemptKey, PayinTimes {
  readonly transactionId: string;
  readonly payinMethodId: string;
  readonly provider: string;
  readonly said: PayinSaid;
  /** The one-time code that was handed over. */
  readonly sentOtp?: string;
  /** Until when the call was ours; undefined for a callback, which comes while a call may be under way. */
  readonly leaseEnd?: Date;
}

/** `unknown_attempt`: nothing is known by that reference, so nothing was recorded. `doubted`: it is not believed. */
export type PayinResult = 'recorded' | 'doubted' | 'unknown_attempt';

type RecordContext = Pick<Context, 'db' | 'clock' | 'ids' | 'catalogue' | 'settings' | 'log' | 'wake'>;

export async function recordPayins(ctx: RecordContext, commands: readonly PayinCommand[]): Promise<PayinResult[]> {
  try {
    return await recordTold(ctx, commands);
  } catch (fault) {
    // The same payment was told of another collection at the same moment: it is stored, and found now. Open point
    // OP-215.
    if (sqlState(fault) !== UNIQUE_VIOLATION) throw fault;
    return recordTold(ctx, commands);
  }
}

async function recordTold(ctx: RecordContext, commands: readonly PayinCommand[]): Promise<PayinResult[]> {
  try {
    return await withDesk(ctx, commands, (desk) => commands.map((command) => record(ctx, desk, command)));
  } catch (fault) {
    const [command, ...others] = commands;
    // Of several, each is run again alone: only the one that breaks something stops.
    if (!(fault instanceof BrokenInvariant) || command === undefined || others.length > 0) throw fault;
    const ids = { account_id: command.accountId, attempt_id: command.attemptId };
    ctx.log.error('an answer about a payin broke an invariant', ids, fault);
    return withDesk(ctx, commands, (desk) => [breakOff(ctx, desk, command)]);
  }
}

async function withDesk<Result>(
  ctx: RecordContext,
  commands: readonly PayinCommand[],
  decide: (desk: TransactionDesk) => Result,
): Promise<Result> {
  const { result, desk } = await ctx.db.inTx(async (tx) => {
    const transactions = await lockTransactionsAlone(tx, commands);
    const attempts = await readLastPrompts(tx, transactions.values(), commands);
    const known = await readKnownPayments(tx, commands.flatMap(paymentsIn));
    const payins = new PayinBook(attempts, known);
    const desk = new TransactionDesk(ctx, { transactions, attempts: [], payins, now: ctx.clock.now() });
    const result = decide(desk);
    await desk.write(tx);
    return { result, desk };
  });
  desk.wake(ctx.wake);
  return result;
}

/** Under both names that they may be stored by. */
function paymentsIn({ accountId, transactionId, provider, said }: PayinCommand) {
  if (said.kind !== 'paid') return [];
  return said.payments
    .flatMap(({ reference }) => [reference, referenceIn(reference, transactionId)])
    .map((paymentReference) => ({ accountId, provider, paymentReference }));
}

function record(ctx: RecordContext, desk: TransactionDesk, command: PayinCommand): PayinResult {
  const found = findPrompt(desk, command);
  if (!found) return 'unknown_attempt';
  const { method } = found;
  const believed = isTooLate(found, command) && PROOFS.includes(command.said.kind) ? TOO_LATE : command.said;
  const attempt = endCall(desk, method, found.attempt, command);
  // Another code came in meanwhile: what is said of the one before is not said of this one.
  const isOldCode = command.sentOtp !== undefined && command.sentOtp !== method.inDetails['otp'];
  const said = judgesCode(found, command, desk.now) ? believed : withoutVerdict(believed);
  hearPayin(ctx, desk, method, attempt, said, { answersCode: command.sentOtp !== undefined });
  const { newsAt, did } = command;
  schedulePayin(ctx, desk, method, { ...(newsAt && { newsAt }), ...(did && !isOldCode && { did }) });
  return said.kind === 'failed' && contradictsFailure(said.code) ? 'doubted' : 'recorded';
}

/**
 * Whether a code that is called wrong can be the one that was given last: the call that handed it over says so, or a
 * callback, where no such call is still to come or to be answered. A question that was under way knows nothing of it.
 */
function judgesCode({ method }: Prompted, { did, sentOtp }: PayinCommand, now: Date): boolean {
  if (did !== undefined) return sentOtp !== undefined && sentOtp === method.inDetails['otp'];
  return !method.isClaimed && method.nextAttemptAt !== null && method.nextAttemptAt > now;
}

function withoutVerdict(said: PayinSaid): PayinSaid {
  if (said.kind !== 'needs_otp') return said;
  const { wasWrong: _, ...asked } = said;
  return asked;
}

interface Prompted extends PayinAtDesk {
  readonly attempt: PayinAttempt;
}

function findPrompt(desk: TransactionDesk, command: PayinCommand): Prompted | undefined {
  const transaction = desk.find(command);
  const method = transaction?.payinMethods.find((each) => each.payinMethodId === command.payinMethodId);
  const attempt = desk.payins.attempt(command.attemptId);
  if (!transaction || !method || attempt?.payinMethodId !== method.payinMethodId) return undefined;
  return { transaction, method, attempt };
}

/** The lease ends with the call, unless it ran out and somebody else has a call under way. */
function endCall(
  desk: TransactionDesk,
  method: PayinMethod,
  attempt: PayinAttempt,
  command: PayinCommand,
): PayinAttempt {
  const { leaseEnd, did } = command;
  if (leaseEnd === undefined) return attempt;
  if (isInCharge(method, attempt, leaseEnd)) desk.applyPayin({ ...method, isClaimed: false, nextAttemptAt: null });
  return did === 'prompt' ? attempt : { ...attempt, asks: attempt.asks + 1 };
}

/** The payin method is still claimed for the call whose lease that is. */
function isInCharge(method: PayinMethod, attempt: PayinAttempt, leaseEnd: Date): boolean {
  const { isClaimed, nextAttemptAt, attemptId } = method;
  const isLater = nextAttemptAt !== null && nextAttemptAt > leaseEnd;
  return isClaimed && attemptId === attempt.attemptId && !isLater;
}

/**
 * That a prompt has failed or is taken back is believed from the call that the method is claimed for, and from
 * callbacks. Once somebody else has taken over, it may have been sent again: a second prompt beside it would ask the
 * payer twice.
 */
function isTooLate({ method, attempt }: Prompted, { leaseEnd }: PayinCommand): boolean {
  const isOpen = attempt.outcome === null && method.attemptId === attempt.attemptId;
  return isOpen && leaseEnd !== undefined && !isInCharge(method, attempt, leaseEnd);
}

const PROOFS: readonly string[] = ['failed', 'canceled'] satisfies PayinSaid['kind'][];
const TOO_LATE = { kind: 'unknown', why: 'heard when somebody else had taken over' } as const;

/** The work on this collection stops, and on nothing else; people decide. What was paid waits for them in suspense. */
function breakOff(ctx: RecordContext, desk: TransactionDesk, command: PayinCommand): PayinResult {
  const found = findPrompt(desk, command);
  if (!found) return 'unknown_attempt';
  const { transaction, method, attempt } = found;
  const stopped = { ...method, isClaimed: false, nextAttemptAt: null };
  if (payinMethodTable.move(method.state, 'break') === undefined) desk.applyPayin(stopped);
  // What was said before it broke, a wrong phone number or a payment, is not why it broke.
  else desk.movePayin({ ...stopped, stateReasonDetails: null }, 'break');
  if (transactionTable.move(transaction.state, 'break') !== undefined) {
    desk.putTransaction({
      ...payinAt(desk, method).transaction,
      stateReason: 'The answer of the provider could not be recorded.',
      stateReasonDetails: null,
    });
    desk.move(transaction.transactionId, 'break');
  }
  if (command.said.kind === 'paid') hearPayin(ctx, desk, method, attempt, command.said);
  return 'recorded';
}
