/**
 * Every call to a payin provider goes through here: so many at once, each within its time, counted and timed, and
 * whatever goes wrong becomes `unknown`: the call may have arrived.
 */
import type { Metrics } from '../observability/metrics.ts';
import { type LaneOptions, Lanes } from './lanes.ts';
import { PAYIN_WORDS, readablePayin, readableStatus } from './payin-answer.ts';
import type { PayinAnswer, PayinCancelAnswer, PayinOrder, PayinProvider } from './payin-provider.ts';
import type { NotFound } from './payout-provider.ts';
import { knownWord, type Unknown } from './readable.ts';
import { Silences } from './silences.ts';

export interface PayinCallerOptions extends LaneOptions {
  readonly metrics: Metrics;
  /** Of the providers that are set up. */
  readonly names: readonly string[];
  /** After how many calls in a row without an answer a provider counts as silent. */
  readonly silentAfter: number;
}

type CallName = 'prompt' | 'status' | 'cancel' | 'give_otp';

const CANCEL_WORDS: readonly string[] = ['canceled', 'refused', 'unknown'] satisfies PayinCancelAnswer['kind'][];
/** The words of the port, by call. */
const WORDS = {
  prompt: PAYIN_WORDS,
  status: [...PAYIN_WORDS, 'not_found'],
  give_otp: PAYIN_WORDS,
  cancel: CANCEL_WORDS,
} satisfies Record<CallName, readonly string[]>;
/** Questions have a bound of their own, and one who answers them may leave these all the same. */
const BOUNDED_WHEN_SILENT: readonly CallName[] = ['prompt', 'cancel'];
const MS_PER_SECOND = 1_000;

export class PayinCaller {
  readonly #lanes: Lanes;
  readonly #silences: Silences;
  readonly #count: (labels: Readonly<Record<'provider' | 'call' | 'answer', string>>) => void;
  readonly #time: (labels: Readonly<Record<'provider' | 'call', string>>, seconds: number) => void;

  constructor(options: PayinCallerOptions) {
    this.#lanes = new Lanes(options);
    this.#silences = new Silences(options.silentAfter);
    this.#count = options.metrics.counter({
      name: 'payferry_payin_answers_total',
      help: 'Answers of payin providers by call; unknown: none came in time, or none that could be read.',
      labels: ['provider', 'call', 'answer'],
      fromZero: options.names.flatMap((provider) =>
        Object.entries(WORDS).flatMap(([call, words]) => words.map((answer) => ({ provider, call, answer }))),
      ),
    });
    this.#time = options.metrics.timing({
      name: 'payferry_payin_call_seconds',
      help: 'How long calls to payin providers took, the wait for a free place included.',
      labels: ['provider', 'call'],
    });
  }

  /** It answers no prompts and takes none back, whatever else it answers. */
  leavesPrompts(provider: string): boolean {
    return this.#silences.isSilent(provider);
  }

  /** Payers are asked for money by this: whoever may do so only for a time is asked at the last moment. */
  prompt(provider: PayinProvider, order: PayinOrder, mayBegin?: () => boolean): Promise<PayinAnswer> {
    return this.#call(provider, 'prompt', readablePayin, (signal) => provider.prompt(order, signal), mayBegin);
  }

  status(provider: PayinProvider, order: PayinOrder): Promise<PayinAnswer | NotFound> {
    return this.#call(provider, 'status', readableStatus, (signal) => provider.status(order, signal));
  }

  /**
   * A provider that takes no codes has none to be given: it is asked how the prompt stands. A code that comes late
   * would use up one of the payer's tries after a better one.
   */
  async giveOtp(provider: PayinProvider, order: PayinOrder, mayBegin?: () => boolean): Promise<PayinAnswer | NotFound> {
    if (provider.giveOtp === undefined) return this.status(provider, order);
    const give = provider.giveOtp.bind(provider);
    return this.#call<PayinAnswer>(provider, 'give_otp', readablePayin, (signal) => give(order, signal), mayBegin);
  }

  cancel(provider: PayinProvider, order: PayinOrder, mayBegin?: () => boolean): Promise<PayinCancelAnswer> {
    const readable = (said: PayinCancelAnswer) => knownWord(CANCEL_WORDS, said);
    return this.#call(provider, 'cancel', readable, (signal) => provider.cancel(order, signal), mayBegin);
  }

  /** Counted as it is read: what an adapter makes up would be a series each. */
  async #call<Answer extends { readonly kind: string }>(
    provider: PayinProvider,
    call: CallName,
    read: (said: NoInfer<Answer> | Unknown) => NoInfer<Answer>,
    send: (signal: AbortSignal) => Promise<Answer>,
    mayBegin?: () => boolean,
  ): Promise<Answer> {
    const started = performance.now();
    const sent = await this.#lanes.send(provider.name, send, mayBegin);
    const answer = read(sent.answer);
    // A call that found no free place says nothing about the provider.
    if (sent.isSent && BOUNDED_WHEN_SILENT.includes(call))
      this.#silences.tell(provider.name, answer.kind !== 'unknown');
    this.#count({ provider: provider.name, call, answer: answer.kind });
    this.#time({ provider: provider.name, call }, (performance.now() - started) / MS_PER_SECOND);
    return answer;
  }
}
