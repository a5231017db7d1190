/**
 * The sandbox's provider: pays nobody, and behaves as the order asks it to. What it answers follows from the order and
 * the clock alone, so any process can answer for any order, also after a restart. Only canceled orders are kept in
 * mind, in the process that was asked to cancel: whoever recorded the cancel asks about that order no more.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { CancelAnswer, NotFound, PayoutAnswer, PayoutOrder, PayoutProvider } from '../payout-provider.ts';
import { CanceledOrders } from './canceled-orders.ts';
import type { Story } from './stories.ts';
import { answerAt, nextStepAt, storyOf } from './story-of.ts';
import { pause, untilAborted } from './wait.ts';

export interface SandboxOptions {
  readonly name: string;
  readonly clock: Clock;
  /** How long an answer takes. At 0 nothing takes time: slow answers are quick, and no answer is told at once. */
  readonly latencyMs: () => number;
  /** Pays where the first one is down. */
  readonly isBackup?: boolean;
}

const SLOW_MS = 2_000;
const NO_ANSWER = { kind: 'unknown', why: 'no answer' } as const;
const CANCELED: PayoutAnswer = { kind: 'failed', code: '54' };

type Call = 'submit' | 'status' | 'change';

export class SandboxProvider implements PayoutProvider {
  readonly name: string;
  readonly #options: SandboxOptions;
  readonly #canceled = new CanceledOrders();

  constructor(options: SandboxOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async submit(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer> {
    const story = this.#storyOf(order);
    if (!(await this.#isAnswered(story, order, 'submit', signal))) return NO_ANSWER;
    const answer = this.#answerNow(story, order);
    return answer.kind === 'not_found' ? NO_ANSWER : answer;
  }

  async status(order: PayoutOrder, signal: AbortSignal): Promise<PayoutAnswer | NotFound> {
    const story = this.#storyOf(order);
    return (await this.#isAnswered(story, order, 'status', signal)) ? this.#answerNow(story, order) : NO_ANSWER;
  }

  async update(order: PayoutOrder, signal: AbortSignal) {
    const story = this.#storyOf(order);
    if (!(await this.#isAnswered(story, order, 'change', signal))) return NO_ANSWER;
    return this.#mayChange(story, order) ? ({ kind: 'updated' } as const) : ({ kind: 'refused' } as const);
  }

  async cancel(order: PayoutOrder, signal: AbortSignal): Promise<CancelAnswer> {
    const story = this.#storyOf(order);
    if (!(await this.#isAnswered(story, order, 'change', signal))) return NO_ANSWER;
    if (this.#canceled.has(order.reference)) return { kind: 'canceled' };
    if (!this.#mayChange(story, order)) return { kind: 'refused' };
    this.#canceled.add(order.reference);
    return { kind: 'canceled' };
  }

  newsAt(order: PayoutOrder, now: Date): Date | undefined {
    return this.#canceled.has(order.reference) ? undefined : nextStepAt(this.#storyOf(order), order, now);
  }

  async probe(signal: AbortSignal): Promise<boolean> {
    return pause(this.#options.latencyMs(), signal);
  }

  #storyOf(order: PayoutOrder): Story {
    return storyOf(order, this.#options.isBackup ?? false);
  }

  #answerNow(story: Story, order: PayoutOrder): PayoutAnswer | NotFound {
    return this.#canceled.has(order.reference) ? CANCELED : answerAt(story, order, this.#options.clock.now());
  }

  #mayChange(story: Story, order: PayoutOrder): boolean {
    return story.keeps !== true && this.#answerNow(story, order).kind === 'pending';
  }

  /** Takes the time that the answer takes; false when there is none. */
  async #isAnswered(story: Story, order: PayoutOrder, call: Call, signal: AbortSignal): Promise<boolean> {
    const latencyMs = this.#options.latencyMs();
    if (story.unanswered === 'all' || (call === 'submit' && this.#isLostOnTheWay(story, order))) {
      if (latencyMs > 0) await untilAborted(signal);
      return false;
    }
    return pause(story.isSlow === true && latencyMs > 0 ? SLOW_MS : latencyMs, signal);
  }

  #isLostOnTheWay(story: Story, order: PayoutOrder): boolean {
    return story.unanswered === 'submit' || this.#answerNow(story, order).kind === 'not_found';
  }
}
