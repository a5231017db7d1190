/**
 * The calls to payin providers: made with no transaction open, and recorded in batches of those that have arrived. What
 * is due is claimed with everything else that transactions have to do (transactions.ts).
 */
import type { Context } from '../context.ts';
import { BatchRunner } from '../kernel/batch.ts';
import type { PayinChoice } from '../payins/plan.ts';
import { newsAtOf } from '../providers/news-at.ts';
import type { PayinCaller } from '../providers/payin-caller.ts';
import type { PayinProviders } from '../providers/payin-registry.ts';
import { batchOptions } from '../settings/batch-options.ts';
import type { PayinCall } from '../transactions/decide-collection.ts';
import { type PayinCommand, type PayinResult, recordPayins } from '../transactions/record-payins.ts';
import { performPayinCall } from './perform-payin-call.ts';

interface PayinParts {
  readonly ctx: Context;
  readonly providers: PayinProviders;
  readonly caller: PayinCaller;
  readonly pause: (delayMs: number) => Promise<void>;
}

/** How soon a payin is looked at again when nobody collects its type. */
const NO_PROVIDER_MS = 5_000;

export class PayinWork {
  readonly providers: PayinProviders;
  readonly #parts: PayinParts;
  readonly #record: BatchRunner<PayinCommand, PayinResult>;

  constructor(parts: PayinParts) {
    const { ctx } = parts;
    this.#parts = parts;
    this.providers = parts.providers;
    this.#record = new BatchRunner<PayinCommand, PayinResult>(
      batchOptions(ctx, { name: 'record_payins', tenantOf: ({ accountId }) => accountId, pause: parts.pause }),
      (commands) => recordPayins(ctx, commands),
    );
  }

  /**
   * The first provider that is switched on for the type and has room for a prompt, other than the one that has just
   * failed if there is another.
   */
  readonly choose = (
    payinType: string,
    failedAt: string | undefined,
    hasRoom: (provider: string) => boolean,
  ): PayinChoice => {
    const { ctx } = this.#parts;
    const open = this.providers
      .all()
      .map(({ name }) => name)
      .filter((name) => this.#takesPrompts(payinType, name) && hasRoom(name));
    const chosen = open.find((name) => name !== failedAt) ?? open[0];
    if (chosen !== undefined) return { provider: chosen };
    return { waitUntil: new Date(ctx.clock.now().getTime() + NO_PROVIDER_MS) };
  };

  /** Makes a claimed call and records what it comes to. */
  readonly perform = async (call: PayinCall): Promise<void> => {
    const { ctx, caller } = this.#parts;
    const provider = this.providers.named(call.provider);
    const takesPrompts = () => this.#takesPrompts(call.order.payinType, call.provider);
    const said = await performPayinCall(caller, provider, call, ctx.clock, takesPrompts);
    const newsAt = newsAtOf(provider, call.order, ctx.clock.now());
    const { accountId, transactionId, payinMethodId, otp } = call.order;
    const { attemptId, leaseEnd, do: did } = call;
    await this.#record.submit({
      accountId,
      transactionId,
      payinMethodId,
      attemptId,
      provider: call.provider,
      said,
      leaseEnd,
      did,
      ...(did === 'give_otp' && otp !== undefined && { sentOtp: otp }),
      ...(newsAt && { newsAt }),
    });
  };

  /** Records what came to us by itself: a callback. */
  readonly record = (command: PayinCommand): Promise<PayinResult> => this.#record.submit(command);

  /** It has a share of the calls for prompts, and for taking them back, until it answers one. */
  readonly leavesPrompts = (provider: string): boolean => this.#parts.caller.leavesPrompts(provider);

  readonly close = (): Promise<void> => this.#record.close();

  #takesPrompts(payinType: string, provider: string): boolean {
    return this.#parts.ctx.switches.isProviderActive(payinType, provider, 'payin');
  }
}
