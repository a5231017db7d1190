/**
 * The payout engine: claims what transactions have to do (payouts, prompts to payers, checks of accounts), calls
 * providers with no transaction open, and records answers in batches of those that have arrived. Nobody waits for the
 * slowest. What a process leaves behind when it dies is found by the end of its lease, and asked about.
 */
import type { AccountChecker } from '../account-checks/checker.ts';
import type { Context } from '../context.ts';
import { BatchRunner } from '../kernel/batch.ts';
import { endsWithin } from '../kernel/deadline.ts';
import { Passing } from '../kernel/passing.ts';
import type { PayinChoice } from '../payins/plan.ts';
import type { ProviderCaller } from '../providers/caller.ts';
import type { HealthBoard } from '../providers/health-board.ts';
import { newsAtOf } from '../providers/news-at.ts';
import type { Providers } from '../providers/registry.ts';
import { chooseTaker, type FindTakers, openOf, openTakers, type Taker } from '../providers/takers.ts';
import type { Choice } from '../recipients/plan.ts';
import { batchOptions } from '../settings/batch-options.ts';
import { claimApart } from '../transactions/claim-apart.ts';
import type { ClaimProviding } from '../transactions/claim-due.ts';
import type { PayinCall } from '../transactions/decide-collection.ts';
import type { CheckCall, PayoutCall } from '../transactions/decide-due.ts';
import { type AnswerCommand, type AnswerResult, recordAnswers } from '../transactions/record-answers.ts';
import type { Outgoing } from '../webhooks/hand-over.ts';
import { CheckCalls } from './check-accounts.ts';
import type { PayinWork } from './payins.ts';
import { performCall } from './perform-call.ts';
import { Shares, type Taking } from './shares.ts';

interface TransactionParts {
  readonly ctx: Context;
  readonly providers: Providers;
  readonly health: HealthBoard;
  readonly caller: ProviderCaller;
  readonly checker: Pick<AccountChecker, 'ask' | 'isSilent'>;
  readonly payins: PayinWork;
  readonly pause: (delayMs: number) => Promise<void>;
  /** In a process that also delivers webhooks. */
  readonly outgoing?: Outgoing | undefined;
}

/** Whom accounts are looked up with; there is one. */
const REGISTER = 'register';

export class TransactionWork {
  readonly name = 'payouts';
  readonly wokenBy = ['transactions', 'clock'] as const;
  /** Who takes new orders, as this process sees it: what it goes by, for whoever wants to tell why something waits. */
  readonly takers: FindTakers;
  readonly #parts: TransactionParts;
  readonly #record: BatchRunner<AnswerCommand, AnswerResult>;
  readonly #checks: CheckCalls;
  readonly #questions: Shares;
  readonly #orders: Shares;
  readonly #payinQuestions: Shares;
  readonly #prompts: Shares;
  readonly #accounts: Shares;
  readonly #probed = new Set<string>();
  readonly #underWay = new Passing<Promise<void>>();

  constructor(parts: TransactionParts) {
    const { ctx } = parts;
    this.#parts = parts;
    this.takers = openTakers({ ...parts, switches: ctx.switches });
    this.#checks = new CheckCalls(parts);
    const { callsInFlight } = ctx.settings.payouts;
    this.#questions = new Shares(callsInFlight);
    this.#orders = new Shares(callsInFlight);
    this.#payinQuestions = new Shares(callsInFlight);
    this.#prompts = new Shares(callsInFlight);
    this.#accounts = new Shares(callsInFlight);
    this.#record = new BatchRunner<AnswerCommand, AnswerResult>(
      batchOptions(ctx, { name: 'record_answers', tenantOf: ({ accountId }) => accountId, pause: parts.pause }),
      (commands) => recordAnswers(ctx, commands, parts.outgoing),
    );
  }

  /** Claims as much as there is room for, and begins the calls. */
  readonly turn = async (): Promise<boolean> => {
    const { ctx, health } = this.#parts;
    for (const name of health.dueProbes()) this.#probe(name);
    const limit = Math.min(this.room, ctx.settings.batch.maxCommands);
    if (limit <= 0) return false;
    const claim = await claimApart(ctx, { limit, provide: this.#provide });
    const { transactions, calls, checks, payinCalls } = claim;
    for (const call of calls) this.#track(this.#perform(call));
    for (const check of checks) this.#track(this.#check(check));
    for (const call of payinCalls) this.#track(this.#collect(call));
    return transactions === limit;
  };

  /** How many more calls may be under way. */
  get room(): number {
    return this.#parts.ctx.settings.payouts.callsInFlight - this.#underWay.size;
  }

  /** Records what came to us by itself: a callback. */
  readonly record = (command: AnswerCommand): Promise<AnswerResult> => this.#record.submit(command);

  /** Resolves when no call is under way. */
  readonly idle = async (): Promise<void> => {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.members());
  };

  /**
   * To be called when nothing new comes any more. Calls under way have half of the time that the process has for its
   * end: a provider that says nothing must not keep it from closing its database in order. What is left of them is
   * found by the end of its lease, and asked about.
   */
  readonly close = async (): Promise<void> => {
    const { ctx } = this.#parts;
    await endsWithin(ctx.settings.shutdown.graceMs / 2, this.idle());
    const calls = this.#underWay.size;
    if (calls > 0) ctx.log.warn('calls to providers are left; they will be asked about', { calls });
    await Promise.all([this.#record.close(), this.#checks.close(), this.#parts.payins.close()]);
  };

  readonly #provide = (): ClaimProviding => {
    const questions = this.#questions.begin();
    const orders = this.#orders.begin();
    const payinQuestions = this.#payinQuestions.begin();
    const prompts = this.#prompts.begin();
    const accounts = this.#accounts.begin();
    const { payins, checker } = this.#parts;
    return {
      choose: (payoutType, failedAt) => this.#choose(orders, payoutType, failedAt),
      mayAsk: (provider) => takeOne(questions, provider),
      mayCheck: () => takeOne(accounts, REGISTER, !checker.isSilent()),
      collecting: {
        choose: (payinType, failedAt) => this.#choosePayin(prompts, payinType, failedAt),
        mayAsk: (provider) => takeOne(payinQuestions, provider),
        mayCancel: (provider) => takeOne(prompts, provider, !payins.leavesPrompts(provider)),
      },
      keep: () => {
        for (const taking of [questions, orders, payinQuestions, prompts, accounts]) taking.keep();
      },
    };
  };

  /** One that left its last orders without an answer has its share of the calls, until it answers one. */
  #choose(orders: Taking, payoutType: string, failedAt: string | undefined): Choice {
    const { health } = this.#parts;
    const hasRoom = ({ provider }: Taker) => !health.leavesOrders(provider) || orders.hasRoom(provider);
    const provider = chooseTaker(this.takers(payoutType).filter(hasRoom), failedAt);
    if (provider === undefined) return undefined;
    orders.take(provider);
    return { provider };
  }

  /** The same for one that answers no prompts. */
  #choosePayin(prompts: Taking, payinType: string, failedAt: string | undefined): PayinChoice {
    const { payins } = this.#parts;
    const hasRoom = (provider: string) => !payins.leavesPrompts(provider) || prompts.hasRoom(provider);
    const choice = payins.choose(payinType, failedAt, hasRoom);
    if ('provider' in choice) prompts.take(choice.provider);
    return choice;
  }

  /** One at a time: one that hangs would be asked once more in each turn, until there was no room for anything else. */
  #probe(name: string): void {
    const { providers, caller } = this.#parts;
    const provider = providers.named(name);
    if (provider === undefined || this.#probed.has(name)) return;
    this.#probed.add(name);
    const probe = caller.probe(provider).finally(() => this.#probed.delete(name));
    this.#track(probe.then(() => undefined));
  }

  #perform(call: PayoutCall): Promise<void> {
    const share = call.do === 'ask' ? this.#questions : this.#orders;
    return this.#call(call).finally(() => share.ended(call.provider));
  }

  #collect(call: PayinCall): Promise<void> {
    const shares = { ask: this.#payinQuestions, prompt: this.#prompts, cancel: this.#prompts, give_otp: undefined };
    return this.#parts.payins.perform(call).finally(() => shares[call.do]?.ended(call.provider));
  }

  #check(call: CheckCall): Promise<void> {
    return this.#checks.perform(call).finally(() => this.#accounts.ended(REGISTER));
  }

  async #call(call: PayoutCall): Promise<void> {
    const { ctx, providers, caller } = this.#parts;
    const { accountId, transactionId, recipientId } = call.order;
    const provider = providers.named(call.provider);
    const takesOrders = () => openOf(this.takers(call.order.payoutType)).includes(call.provider);
    const { answer, update, sentNothing } = await performCall(caller, provider, call, ctx, takesOrders);
    const newsAt = newsAtOf(provider, call.order, ctx.clock.now());
    const failOverTo = answer.kind === 'failed' && answer.isDown === true ? this.#other(call) : undefined;
    await this.#record.submit({
      accountId,
      transactionId,
      recipientId,
      attemptId: call.attemptId,
      answer,
      call: { leaseEnd: call.leaseEnd, ...(sentNothing && { sentBefore: call.sentBefore }) },
      ...(update && { update, sentDetails: call.order.details }),
      ...(newsAt && { newsAt }),
      ...(failOverTo && { failOverTo }),
    });
  }

  /**
   * The next provider that is open for the same payout type. Only on, never back: two that turn down the same order
   * would send it to each other for ever. After the last one the recipient waits, as after any temporary error.
   */
  #other({ provider, order }: PayoutCall): string | undefined {
    const takers = this.takers(order.payoutType);
    return openOf(takers.slice(takers.findIndex((taker) => taker.provider === provider) + 1))[0];
  }

  /** A call that ends makes room, which somebody may wait for. */
  #track(work: Promise<void>): void {
    const { ctx } = this.#parts;
    const ended = work
      .catch((fault) => ctx.log.warn('a call to a provider could not be recorded; it will be asked about', {}, fault))
      .finally(() => {
        const wasFull = this.room <= 0;
        leave();
        if (wasFull) ctx.wake.wake('transactions');
      });
    const leave = this.#underWay.add(ended);
  }
}

/** False: there is no room for it, and it needs some. */
function takeOne(taking: Taking, provider: string, isFree = false): boolean {
  const hasRoom = isFree || taking.hasRoom(provider);
  if (hasRoom) taking.take(provider);
  return hasRoom;
}
