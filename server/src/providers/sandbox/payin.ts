/**
 * The sandbox's payin provider: prompts nobody, and behaves as the order asks it to. What it answers follows from the
 * order and the clock alone, so any process can answer for any prompt, also after a restart. Only prompts that were
 * taken back are kept in mind, in the process that was asked to.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { PayinAnswer, PayinCancelAnswer, PayinOrder, PayinProvider } from '../payin-provider.ts';
import type { NotFound } from '../payout-provider.ts';
import { CanceledOrders } from './canceled-orders.ts';
import type { PayinStory } from './payin-stories.ts';
import { nextPayinStepAt, payinAnswerAt, payinStoryOf } from './payin-story-of.ts';
import { pause, untilAborted } from './wait.ts';

export interface SandboxPayinOptions {
  readonly name: string;
  readonly clock: Clock;
  /** How long an answer takes. At 0 nothing takes time, and no answer is told at once. */
  readonly latencyMs: () => number;
}

const NO_ANSWER = { kind: 'unknown', why: 'no answer' } as const;
/** Published: the payer did not act in time. */
const TAKEN_BACK: PayinAnswer = { kind: 'failed', code: '433' };

type Call = 'prompt' | 'other';

export class SandboxPayinProvider implements PayinProvider {
  readonly name: string;
  readonly #options: SandboxPayinOptions;
  readonly #canceled = new CanceledOrders();

  constructor(options: SandboxPayinOptions) {
    this.name = options.name;
    this.#options = options;
  }

  async prompt(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer> {
    const answer = await this.#answer(order, 'prompt', signal);
    return answer.kind === 'not_found' ? NO_ANSWER : answer;
  }

  status(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer | NotFound> {
    return this.#answer(order, 'other', signal);
  }

  async giveOtp(order: PayinOrder, signal: AbortSignal): Promise<PayinAnswer> {
    const answer = await this.#answer(order, 'other', signal);
    return answer.kind === 'not_found' ? NO_ANSWER : answer;
  }

  async cancel(order: PayinOrder, signal: AbortSignal): Promise<PayinCancelAnswer> {
    const story = payinStoryOf(order);
    if (!(await this.#isAnswered(story, order, 'other', signal))) return NO_ANSWER;
    const { kind } = this.#answerNow(story, order);
    const isOpen = kind === 'waiting' || kind === 'needs_otp' || kind === 'not_found';
    if (this.#canceled.has(order.reference)) return { kind: 'canceled' };
    if (story.keeps === true || !isOpen) return { kind: 'refused' };
    if (story.paysAnyway !== true) this.#canceled.add(order.reference);
    return { kind: 'canceled' };
  }

  newsAt(order: PayinOrder, now: Date): Date | undefined {
    return this.#canceled.has(order.reference) ? undefined : nextPayinStepAt(payinStoryOf(order), order, now);
  }

  async #answer(order: PayinOrder, call: Call, signal: AbortSignal): Promise<PayinAnswer | NotFound> {
    const story = payinStoryOf(order);
    return (await this.#isAnswered(story, order, call, signal)) ? this.#answerNow(story, order) : NO_ANSWER;
  }

  #answerNow(story: PayinStory, order: PayinOrder): PayinAnswer | NotFound {
    return this.#canceled.has(order.reference) ? TAKEN_BACK : payinAnswerAt(story, order, this.#options.clock.now());
  }

  /** Takes the time that the answer takes; false when there is none. */
  async #isAnswered(story: PayinStory, order: PayinOrder, call: Call, signal: AbortSignal): Promise<boolean> {
    const latencyMs = this.#options.latencyMs();
    const isLost =
      call === 'prompt' && (story.unanswered === 'prompt' || this.#answerNow(story, order).kind === 'not_found');
    if (story.unanswered !== 'all' && !isLost) return pause(latencyMs, signal);
    if (latencyMs > 0) await untilAborted(signal);
    return false;
  }
}
