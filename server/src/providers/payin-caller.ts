/**
 * Every call to a payin provider goes through here: so many at once, each within its time, counted and timed, and
 * whatever goes wrong becomes `unknown`: the call may have arrived.
 */
import type { Metrics } from '../observability/metrics.ts';
import { knownWord, type LaneOptions, Lanes, type Unknown } from './lanes.ts';
import { readablePayin, readableStatus } from './payin-answer.ts';
import type { PayinAnswer, PayinCancelAnswer, PayinOrder, PayinProvider } from './payin-provider.ts';
import type { NotFound } from './payout-provider.ts';

export interface PayinCallerOptions extends LaneOptions {
  readonly metrics: Metrics;
}

type CallName = 'prompt' | 'status' | 'cancel' | 'give_otp';

const CANCEL_WORDS: readonly string[] = ['canceled', 'refused', 'unknown'] satisfies PayinCancelAnswer['kind'][];
const MS_PER_SECOND = 1_000;

export class PayinCaller {
  readonly #lanes: Lanes;
  readonly #count: (labels: Readonly<Record<'provider' | 'call' | 'answer', string>>) => void;
  readonly #time: (labels: Readonly<Record<'provider' | 'call', string>>, seconds: number) => void;

  constructor(options: PayinCallerOptions) {
    this.#lanes = new Lanes(options);
    this.#count = options.metrics.counter({
      name: 'payferry_payin_answers_total',
      help: 'Answers of payin providers by call; unknown: none came in time, or none that could be read.',
      labels: ['provider', 'call', 'answer'],
    });
    this.#time = options.metrics.timing({
      name: 'payferry_payin_call_seconds',
      help: 'How long calls to payin providers took, the wait for a free place included.',
      labels: ['provider', 'call'],
    });
  }

  /** Payers are asked for money by this: whoever may do so only for a time is asked at the last moment. */
  async prompt(provider: PayinProvider, order: PayinOrder, mayBegin?: () => boolean): Promise<PayinAnswer> {
    return readablePayin(await this.#call(provider, 'prompt', (signal) => provider.prompt(order, signal), mayBegin));
  }

  async status(provider: PayinProvider, order: PayinOrder): Promise<PayinAnswer | NotFound> {
    return readableStatus(await this.#call(provider, 'status', (signal) => provider.status(order, signal)));
  }

  /** A provider that takes no codes has none to be given: it is asked how the prompt stands. */
  async giveOtp(provider: PayinProvider, order: PayinOrder): Promise<PayinAnswer | NotFound> {
    if (provider.giveOtp === undefined) return this.status(provider, order);
    const give = provider.giveOtp.bind(provider);
    return readablePayin(await this.#call(provider, 'give_otp', (signal) => give(order, signal)));
  }

  async cancel(provider: PayinProvider, order: PayinOrder): Promise<PayinCancelAnswer> {
    const said = await this.#call(provider, 'cancel', (signal) => provider.cancel(order, signal));
    return knownWord(CANCEL_WORDS, said);
  }

  async #call<Answer extends { readonly kind: string }>(
    provider: PayinProvider,
    call: CallName,
    send: (signal: AbortSignal) => Promise<Answer>,
    mayBegin?: () => boolean,
  ): Promise<Answer | Unknown> {
    const started = performance.now();
    const { answer } = await this.#lanes.send(provider.name, send, mayBegin);
    const kind = typeof answer?.kind === 'string' ? answer.kind : 'unknown';
    this.#count({ provider: provider.name, call, answer: kind });
    this.#time({ provider: provider.name, call }, (performance.now() - started) / MS_PER_SECOND);
    return answer;
  }
}
