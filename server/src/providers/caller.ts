/**
 * Every call to a provider goes through here: so many at once, each within its time, counted and timed, and whatever goes
 * wrong becomes `unknown`. Unknown is the honest word for a call that threw, took too long or answered in no known form:
 * it may have arrived. Health hears of every answer.
 */
import type { Metrics } from '../observability/metrics.ts';
import { GivenUp, within } from './deadline.ts';
import type { Sign } from './health.ts';
import type { HealthBoard } from './health-board.ts';
import { Lane } from './lane.ts';
import type {
  CancelAnswer,
  NotFound,
  PayoutAnswer,
  PayoutOrder,
  PayoutProvider,
  UpdateAnswer,
} from './payout-provider.ts';

export interface CallerOptions {
  readonly timeoutMs: number;
  /** At once, for each provider. */
  readonly maxCalls: number;
  readonly metrics: Metrics;
  readonly health: HealthBoard;
}

type CallName = 'submit' | 'status' | 'update' | 'cancel' | 'probe';
interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

/** The words of the port, by call: an adapter that says anything else has said nothing. */
const WORDS = {
  submit: ['paid', 'failed', 'pending', 'unknown'],
  status: ['paid', 'failed', 'pending', 'unknown', 'not_found'],
  update: ['updated', 'refused', 'unknown'],
  cancel: ['canceled', 'refused', 'unknown'],
} as const satisfies Record<Exclude<CallName, 'probe'>, readonly string[]>;

/** What part of its time a call may wait for a free place: what is sent still has time to be answered. */
const WAIT_SHARE = 2;
const MS_PER_SECOND = 1_000;

export class ProviderCaller {
  readonly #options: CallerOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #count: (labels: Readonly<Record<'provider' | 'call' | 'answer', string>>) => void;
  readonly #time: (labels: Readonly<Record<'provider' | 'call', string>>, seconds: number) => void;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#count = options.metrics.counter({
      name: 'payferry_provider_answers_total',
      help: 'Answers of providers by call; unknown: none came in time, or none that could be read.',
      labels: ['provider', 'call', 'answer'],
    });
    this.#time = options.metrics.timing({
      name: 'payferry_provider_call_seconds',
      help: 'How long calls to providers took, the wait for a free place included.',
      labels: ['provider', 'call'],
    });
  }

  submit(provider: PayoutProvider, order: PayoutOrder): Promise<PayoutAnswer> {
    return this.#call(provider, 'submit', order, (signal) => provider.submit(order, signal));
  }

  status(provider: PayoutProvider, order: PayoutOrder): Promise<PayoutAnswer | NotFound> {
    return this.#call(provider, 'status', order, (signal) => provider.status(order, signal));
  }

  /** A provider that cannot do it refuses. */
  async update(provider: PayoutProvider, order: PayoutOrder): Promise<UpdateAnswer> {
    if (provider.update === undefined) return { kind: 'refused' };
    const update = provider.update.bind(provider);
    return this.#call(provider, 'update', order, (signal) => update(order, signal));
  }

  /** A provider that cannot do it refuses. */
  async cancel(provider: PayoutProvider, order: PayoutOrder): Promise<CancelAnswer> {
    if (provider.cancel === undefined) return { kind: 'refused' };
    const cancel = provider.cancel.bind(provider);
    return this.#call(provider, 'cancel', order, (signal) => cancel(order, signal));
  }

  /** Whatever goes wrong, it is not back yet. */
  async probe(provider: PayoutProvider): Promise<boolean> {
    const started = performance.now();
    const isUp = await within(this.#options.timeoutMs, (signal) => provider.probe(signal)).catch(() => false);
    this.#record(provider.name, 'probe', isUp === true ? 'up' : 'down', started);
    this.#options.health.tellProbe(provider.name, isUp === true);
    return isUp === true;
  }

  /** Calls that could begin at once. Who claims no more than that keeps nobody waiting. */
  room(provider: PayoutProvider): number {
    return this.#laneOf(provider.name).room;
  }

  async #call<Answer extends { readonly kind: string }>(
    provider: PayoutProvider,
    call: keyof typeof WORDS,
    order: PayoutOrder,
    send: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | Unknown> {
    const started = performance.now();
    const lane = this.#laneOf(provider.name);
    let isSent = false;
    const inItsTurn = (signal: AbortSignal) =>
      lane.run(this.#options.timeoutMs / WAIT_SHARE, signal, () => {
        isSent = true;
        return send(signal);
      });
    const answer = await within(this.#options.timeoutMs, inItsTurn).then((said) => readable(call, said), unknownBy);
    this.#record(provider.name, call, isDown(answer) ? 'down' : answer.kind, started);
    // A call that found no free place says nothing about the provider.
    if (isSent) {
      this.#options.health.tellAnswer(provider.name, { sign: signOf(answer), reference: order.reference });
    }
    return answer;
  }

  #record(provider: string, call: CallName, answer: string, started: number): void {
    this.#count({ provider, call, answer });
    this.#time({ provider, call }, (performance.now() - started) / MS_PER_SECOND);
  }

  #laneOf(provider: string): Lane {
    const known = this.#lanes.get(provider);
    if (known !== undefined) return known;
    const lane = new Lane(this.#options.maxCalls);
    this.#lanes.set(provider, lane);
    return lane;
  }
}

function readable<Answer extends { readonly kind: string }>(call: keyof typeof WORDS, said: Answer): Answer | Unknown {
  const words: readonly string[] = WORDS[call];
  return words.includes(said?.kind) ? said : unknown('an answer that the port does not know');
}

/** Only the class of a fault: what a provider puts into its messages may be anything, names included. */
function unknownBy(fault: unknown): Unknown {
  if (fault instanceof GivenUp) return unknown(fault.message);
  return unknown(`fault: ${fault instanceof Error ? fault.name : 'other'}`);
}

function unknown(why: string): Unknown {
  return { kind: 'unknown', why };
}

function isDown(answer: { readonly kind: string; readonly isDown?: true }): boolean {
  return answer.kind === 'failed' && answer.isDown === true;
}

function signOf(answer: { readonly kind: string; readonly isDown?: true }): Sign {
  if (isDown(answer)) return 'down';
  return answer.kind === 'unknown' ? 'silent' : 'alive';
}
