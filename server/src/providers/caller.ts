/**
 * Every call to a provider goes through here: so many at once, each within its time, counted and timed, and whatever
 * goes wrong becomes `unknown`. Unknown is the honest word for a call that threw, took too long or answered in no known
 * form: it may have arrived. Health hears of every answer.
 */

import { within } from '../kernel/deadline.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { TellDoubt } from './doubt-log.ts';
import type { Sign } from './health.ts';
import type { HealthBoard } from './health-board.ts';
import { type LaneOptions, Lanes } from './lanes.ts';
import type {
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  UpdateAnswer,
} from './payout-provider.ts';
import { knownAnswer, type Unknown } from './readable.ts';

export interface CallerOptions extends LaneOptions {
  readonly metrics: Metrics;
  readonly health: HealthBoard;
  readonly tellDoubt?: TellDoubt;
}

type CallName = 'submit' | 'status' | 'update' | 'cancel' | 'probe';

/** The words of the port, by call: an adapter that says anything else has said nothing. */
const WORDS = {
  submit: ['paid', 'failed', 'pending', 'unknown'],
  status: ['paid', 'failed', 'pending', 'unknown', 'not_found'],
  update: ['updated', 'refused', 'unknown'],
  cancel: ['canceled', 'refused', 'unknown'],
} as const satisfies Record<Exclude<CallName, 'probe'>, readonly string[]>;

/** What is counted beside the words: a failure because it takes no orders, and what a probe says. */
const DOWN = 'down';
const UP = 'up';
const MS_PER_SECOND = 1_000;

export class ProviderCaller {
  readonly #options: CallerOptions;
  readonly #lanes: Lanes;
  readonly #count: (labels: Readonly<Record<'provider' | 'call' | 'answer', string>>) => void;
  readonly #time: (labels: Readonly<Record<'provider' | 'call', string>>, seconds: number) => void;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#lanes = new Lanes(options);
    this.#count = options.metrics.counter({
      name: 'payferry_provider_answers_total',
      help: 'Answers of providers by call; unknown: none came in time, or none that could be read.',
      labels: ['provider', 'call', 'answer'],
      fromZero: options.health.standings().flatMap(({ provider }) => countedAnswers(provider)),
    });
    this.#time = options.metrics.timing({
      name: 'payferry_provider_call_seconds',
      help: 'How long calls to providers took, the wait for a free place included.',
      labels: ['provider', 'call'],
    });
  }

  /** Money moves by this: whoever may send it only for a time is asked at the last moment. */
  submit(provider: PayoutProvider, order: PayoutOrder, mayBegin?: () => boolean): Promise<PayoutAnswer> {
    return this.#call(provider, 'submit', order, (signal) => provider.submit(order, signal), mayBegin);
  }

  status(provider: PayoutProvider, order: PayoutOrder): Promise<PayoutAnswer | NotFound> {
    return this.#call(provider, 'status', order, (signal) => provider.status(order, signal));
  }

  /** A provider that cannot do it refuses. An update that comes late would take back the one of somebody else. */
  async update(provider: PayoutProvider, order: PayoutOrder, mayBegin?: () => boolean): Promise<UpdateAnswer> {
    if (provider.update === undefined) return { kind: 'refused' };
    const update = provider.update.bind(provider);
    return this.#call(provider, 'update', order, (signal) => update(order, signal), mayBegin);
  }

  /** A provider that cannot do it refuses. */
  async cancel(provider: PayoutProvider, order: PayoutOrder, mayBegin?: () => boolean): Promise<CancelAnswer> {
    if (provider.cancel === undefined) return { kind: 'refused' };
    const cancel = provider.cancel.bind(provider);
    return this.#call(provider, 'cancel', order, (signal) => cancel(order, signal), mayBegin);
  }

  /** Whatever goes wrong, it is not back yet. */
  async probe(provider: PayoutProvider): Promise<boolean> {
    const started = performance.now();
    const isUp = await within(this.#options.timeoutMs, (signal) => provider.probe(signal)).catch(() => false);
    this.#record(provider.name, 'probe', isUp === true ? UP : DOWN, started);
    this.#options.health.tellProbe(provider.name, isUp === true);
    return isUp === true;
  }

  /** Calls that could begin at once. Who claims no more than that keeps nobody waiting. */
  room(provider: PayoutProvider): number {
    return this.#lanes.room(provider.name);
  }

  async #call<Answer extends { readonly kind: string }>(
    provider: PayoutProvider,
    call: keyof typeof WORDS,
    order: PayoutOrder,
    send: (signal: AbortSignal) => Promise<Answer>,
    mayBegin?: () => boolean,
  ): Promise<Answer | Unknown> {
    const started = performance.now();
    const { answer: said, isSent } = await this.#lanes.send(provider.name, send, mayBegin);
    const answer = knownAnswer(WORDS[call], said);
    this.#record(provider.name, call, isDown(answer) ? DOWN : answer.kind, started);
    const why = isSent ? doubtIn(answer) : undefined;
    if (why !== undefined) this.#options.tellDoubt?.({ provider: provider.name, call, why });
    // A call that found no free place says nothing about the provider.
    if (isSent) {
      this.#options.health.tellAnswer(provider.name, { sign: signOf(answer), reference: order.reference });
      if (call === 'submit') this.#options.health.tellOrder(provider.name, answer.kind !== 'unknown');
    }
    return answer;
  }

  #record(provider: string, call: CallName, answer: string, started: number): void {
    this.#count({ provider, call, answer });
    this.#time({ provider, call }, (performance.now() - started) / MS_PER_SECOND);
  }
}

function countedAnswers(provider: string) {
  const said = Object.entries(WORDS).flatMap(([call, words]) => words.map((answer) => ({ provider, call, answer })));
  const down = said.filter(({ answer }) => answer === 'failed').map((failed) => ({ ...failed, answer: DOWN }));
  const probed = [UP, DOWN].map((answer) => ({ provider, call: 'probe', answer }));
  return [...said, ...down, ...probed];
}

/** Why the answer says nothing about the order; undefined: it does. */
function doubtIn(answer: { readonly kind: string; readonly isDown?: true; readonly why?: string }): string | undefined {
  if (isDown(answer)) return answer.why ?? 'it takes no orders';
  return answer.kind === 'unknown' ? answer.why : undefined;
}

function isDown(answer: { readonly kind: string; readonly isDown?: true }): boolean {
  return answer.kind === 'failed' && answer.isDown === true;
}

function signOf(answer: { readonly kind: string; readonly isDown?: true }): Sign {
  if (isDown(answer)) return 'down';
  return answer.kind === 'unknown' ? 'silent' : 'alive';
}
