/**
 * The health of every provider as this process sees it. Each process finds out for itself: what one has seen, the
 * others see with their next few calls. What operators hold is told to each process by whoever keeps it.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import {
  afterAnswer,
  afterProbe,
  HEALTHY,
  type HealthRules,
  hold,
  isProbeDue,
  type ProviderHealth,
  release,
  type Sign,
} from './health.ts';
import { Silences } from './silences.ts';

export interface ProviderStanding {
  readonly provider: string;
  readonly health: ProviderHealth;
}

const STATES = ['open', 'paused', 'held'] as const satisfies readonly ProviderHealth['state'][];

export class HealthBoard {
  readonly #names: readonly string[];
  readonly #clock: Clock;
  readonly #rules: HealthRules;
  readonly #healths = new Map<string, ProviderHealth>();
  /** About orders alone, whatever else the provider answers. */
  readonly #silences: Silences;

  constructor(parts: { readonly names: readonly string[]; readonly clock: Clock; readonly rules: HealthRules }) {
    this.#names = parts.names;
    this.#clock = parts.clock;
    this.#rules = parts.rules;
    this.#silences = new Silences(parts.rules.pauseAfter);
  }

  of(provider: string): ProviderHealth {
    return this.#healths.get(provider) ?? HEALTHY;
  }

  /** Called for each answer: when nothing changes, nothing is written. */
  tellAnswer(provider: string, answer: { readonly sign: Sign; readonly reference: string }): void {
    const health = this.of(provider);
    const next = afterAnswer(health, answer, this.#clock.now(), this.#rules);
    if (next !== health) this.#healths.set(provider, next);
  }

  /** An order was sent, and answered or not. */
  tellOrder(provider: string, isAnswered: boolean): void {
    this.#silences.tell(provider, isAnswered);
  }

  /**
   * It left as many orders in a row without an answer as pause a provider. Other signs of life open it again and end
   * nothing of this: it may answer questions and probes while orders hang.
   */
  leavesOrders(provider: string): boolean {
    return this.#silences.isSilent(provider);
  }

  tellProbe(provider: string, isUp: boolean): void {
    this.#healths.set(provider, afterProbe(this.of(provider), isUp, this.#clock.now(), this.#rules));
  }

  dueProbes(): readonly string[] {
    return this.#names.filter((name) => isProbeDue(this.of(name), this.#clock.now()));
  }

  hold(provider: string, by: string): void {
    this.#healths.set(provider, hold(this.of(provider), by, this.#clock.now()));
  }

  release(provider: string): void {
    this.#healths.set(provider, release());
    this.#silences.forget(provider);
  }

  standings(): readonly ProviderStanding[] {
    return this.#names.map((provider) => ({ provider, health: this.of(provider) }));
  }

  /** One series for each provider and state: 1 for the state that it is in. */
  showIn(metrics: Metrics): void {
    metrics.gauge(
      {
        name: 'payferry_provider_state',
        help: 'Whether providers are given orders, as this process sees them: 1 for the present state.',
        labels: ['provider', 'state'],
      },
      () =>
        this.standings().flatMap(({ provider, health }) =>
          STATES.map((state) => ({ labels: { provider, state }, value: health.state === state ? 1 : 0 })),
        ),
    );
  }
}
