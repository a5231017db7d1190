/**
 * How requests are spread over webhooks: pure bookkeeping. Each webhook has a lane with a bound of its own, and all lanes
 * share one bound; a lane whose last request got no answer, or was refused after a long time, has one request at a time
 * until it answers well again. So a dead endpoint holds one connection, and not all of them.
 */
import { present } from '../kernel/assert.ts';
import { CLAIMED_PER_REQUEST } from './claim.ts';
import type { AttemptOutcome, Chain } from './delivery.ts';
import type { DueEndpoint } from './delivery-store.ts';
import { isDelivered } from './schedule.ts';

interface Lane {
  readonly webhookId: string;
  readonly queue: Chain[];
  /** Deliveries that were claimed and are not finished or given back. */
  held: number;
  sending: number;
  isFailing: boolean;
  mayHaveMore: boolean;
}

interface LaneBounds {
  readonly perEndpoint: number;
  readonly inFlight: number;
  /** How long a request may take. */
  readonly timeoutMs: number;
}

/** A refusal that takes longer than this share of the time limit costs nearly as much as no answer. */
const SLOW_SHARE = 0.5;

export class EndpointLanes {
  readonly #bounds: LaneBounds;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that could send and wait for their turn, in its order. */
  readonly #ready = new Set<Lane>();
  #sending = 0;
  #held = 0;

  constructor(bounds: LaneBounds) {
    this.#bounds = bounds;
  }

  /** Webhooks that get nothing more for now. */
  full(): string[] {
    return [...this.#lanes.values()].filter((lane) => this.#freeIn(lane) <= 0).map((lane) => lane.webhookId);
  }

  /** How many more deliveries all lanes together may hold. */
  get room(): number {
    return this.#bounds.inFlight * CLAIMED_PER_REQUEST - this.#held;
  }

  /** What every webhook that is not full has room for. */
  get sureRoom(): number {
    return (this.#bounds.perEndpoint * CLAIMED_PER_REQUEST) / 2;
  }

  freeFor({ webhookId, timeoutsInRow }: Pick<DueEndpoint, 'webhookId' | 'timeoutsInRow'>): number {
    const lane = this.#lanes.get(webhookId) ?? newLane(webhookId, timeoutsInRow > 0);
    return Math.max(0, Math.min(this.#freeIn(lane), this.room));
  }

  add(chain: Chain, { timeoutsInRow }: Pick<DueEndpoint, 'timeoutsInRow'>): void {
    const { webhookId } = chain[0];
    const lane = this.#lanes.get(webhookId) ?? newLane(webhookId, timeoutsInRow > 0);
    this.#add(chain, lane);
    lane.mayHaveMore = true;
  }

  /**
   * One that was handed over, where its lane has room for it. That more waits behind it is no more likely than before,
   * unless the lane is full now.
   */
  addNew(chain: Chain): boolean {
    const { webhookId } = chain[0];
    const lane = this.#lanes.get(webhookId) ?? newLane(webhookId, false);
    if (chain.length > Math.min(this.#mostIn(lane) - lane.held, this.room)) return false;
    this.#add(chain, lane);
    if (this.#freeIn(lane) <= 0) lane.mayHaveMore = true;
    return true;
  }

  #add(chain: Chain, lane: Lane): void {
    this.#lanes.set(lane.webhookId, lane);
    lane.held += chain.length;
    this.#held += chain.length;
    lane.queue.push(chain);
    this.#ready.add(lane);
  }

  /** The next chain whose first delivery may be sent; undefined when none may. */
  next(): Chain | undefined {
    for (const lane of this.#ready) {
      if (this.#sending >= this.#bounds.inFlight) return undefined;
      this.#ready.delete(lane);
      if (lane.queue.length === 0 || lane.sending >= this.#limitOf(lane)) continue;
      const chain = lane.queue.shift();
      // To the end of the line: the others come first.
      this.#ready.add(lane);
      lane.sending += 1;
      this.#sending += 1;
      return chain;
    }
    return undefined;
  }

  /** A request has ended, or was not begun after all. */
  ended({ webhookId }: { readonly webhookId: string }, outcome?: AttemptOutcome): void {
    const lane = this.#mustBe(webhookId);
    lane.sending -= 1;
    this.#sending -= 1;
    if (outcome !== undefined) lane.isFailing = this.#isFailure(outcome);
    if (lane.queue.length > 0) this.#ready.add(lane);
  }

  /** Who is slow and takes what is sent keeps its requests: one at a time it would fall behind. */
  #isFailure(outcome: AttemptOutcome): boolean {
    if (outcome.kind !== 'answered') return true;
    return !isDelivered(outcome) && outcome.tookMs > this.#bounds.timeoutMs * SLOW_SHARE;
  }

  /** What is left of a chain comes next in its lane. */
  goOn(chain: Chain): void {
    const lane = this.#mustBe(chain[0].webhookId);
    lane.queue.unshift(chain);
    this.#ready.add(lane);
  }

  /** So many are finished or given back. Tells whether it is time to look for more for this webhook. */
  done(webhookId: string, count: number): boolean {
    const lane = this.#mustBe(webhookId);
    lane.held -= count;
    this.#held -= count;
    const looksForMore = lane.mayHaveMore && this.#freeIn(lane) > 0;
    if (looksForMore) lane.mayHaveMore = false;
    // Whether it failed is known without it: time-outs are counted in its row, slow refusals soon show again, and other
    // failures cost no time.
    if (lane.held === 0) this.#lanes.delete(webhookId);
    return looksForMore;
  }

  /** Everything that waits, taken out; of one webhook, or of all. */
  takeWaiting(webhookId?: string): Chain[] {
    const lanes = [...this.#lanes.values()].filter((lane) => webhookId === undefined || lane.webhookId === webhookId);
    return lanes.flatMap((lane) => lane.queue.splice(0));
  }

  /** None, until half of what it may hold is free: a claim for one delivery at a time would be a waste. */
  #freeIn(lane: Lane): number {
    const most = this.#mostIn(lane);
    return lane.held > most / 2 ? 0 : most - lane.held;
  }

  #mostIn(lane: Lane): number {
    return this.#limitOf(lane) * CLAIMED_PER_REQUEST;
  }

  #limitOf(lane: Lane): number {
    return lane.isFailing ? 1 : this.#bounds.perEndpoint;
  }

  #mustBe(webhookId: string): Lane {
    return present(this.#lanes.get(webhookId), 'lane of a delivery that is under way');
  }
}

function newLane(webhookId: string, isFailing: boolean): Lane {
  return { webhookId, queue: [], held: 0, sending: 0, isFailing, mayHaveMore: false };
}
