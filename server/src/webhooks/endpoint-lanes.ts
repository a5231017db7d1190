/**
 * How requests are spread over webhooks: pure bookkeeping. Each webhook has a lane with a bound of its own, and all
 * lanes share one bound; a lane whose last request got no answer, or was refused after a long time, has one request at
 * a time until it answers well again. So a dead endpoint holds one connection, and not all of them.
 *
 * Lanes to one host (origin) take turns at the connections that we may have to it, so that no request waits for one,
 * and those that fail get a share of them only: strangers may have their endpoints on the same host.
 */
import { present } from '../kernel/assert.ts';
import { CLAIMED_PER_REQUEST } from './claim.ts';
import type { AttemptOutcome, Chain } from './delivery.ts';
import type { DueEndpoint } from './delivery-store.ts';
import { isDelivered } from './schedule.ts';

interface Lane {
  readonly webhookId: string;
  readonly origin: Origin;
  readonly queue: Chain[];
  /** Deliveries that were claimed and are not finished or given back. */
  held: number;
  sending: number;
  isFailing: boolean;
  mayHaveMore: boolean;
}

/** Where lanes lead to. */
interface Origin {
  readonly name: string;
  /** Lanes that could send and wait for their turn, in its order. */
  readonly ready: Set<Lane>;
  lanes: number;
  sending: number;
  /** Of those: requests of lanes that fail. */
  failing: number;
}

interface LaneBounds {
  readonly perEndpoint: number;
  readonly perOrigin: number;
  readonly inFlight: number;
  /** How long a request may take. */
  readonly timeoutMs: number;
}

/** A refusal that takes longer than this share of the time limit costs nearly as much as no answer. */
const SLOW_SHARE = 0.5;
/** Of the requests to one origin, how many may be of lanes that fail. */
const FAILING_SHARE = 0.5;

export class EndpointLanes {
  readonly #bounds: LaneBounds;
  readonly #lanes = new Map<string, Lane>();
  readonly #origins = new Map<string, Origin>();
  /** Origins with a lane that could send, in the order of their turns. */
  readonly #ready = new Set<Origin>();
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
    const lane = this.#lanes.get(webhookId) ?? { isFailing: timeoutsInRow > 0, held: 0 };
    return Math.max(0, Math.min(this.#freeIn(lane), this.room));
  }

  add(chain: Chain, { timeoutsInRow }: Pick<DueEndpoint, 'timeoutsInRow'>): void {
    const lane = this.#laneOf(chain, timeoutsInRow > 0);
    this.#add(chain, lane);
    lane.mayHaveMore = true;
  }

  /**
   * One that was handed over, where its lane has room for it. That more waits behind it is no more likely than before,
   * unless the lane is full now.
   */
  addNew(chain: Chain): boolean {
    const { isFailing, held } = this.#lanes.get(chain[0].webhookId) ?? { isFailing: false, held: 0 };
    if (chain.length > Math.min(this.#mostIn({ isFailing }) - held, this.room)) return false;
    const lane = this.#laneOf(chain, false);
    this.#add(chain, lane);
    if (this.#freeIn(lane) <= 0) lane.mayHaveMore = true;
    return true;
  }

  #add(chain: Chain, lane: Lane): void {
    lane.held += chain.length;
    this.#held += chain.length;
    lane.queue.push(chain);
    this.#line(lane);
  }

  #laneOf([{ webhookId, url }]: Chain, isFailing: boolean): Lane {
    const known = this.#lanes.get(webhookId);
    if (known !== undefined) return known;
    const origin = this.#originOf(url);
    const lane: Lane = { webhookId, origin, queue: [], held: 0, sending: 0, isFailing, mayHaveMore: false };
    origin.lanes += 1;
    this.#lanes.set(webhookId, lane);
    return lane;
  }

  #originOf(url: string): Origin {
    const name = URL.canParse(url) ? new URL(url).origin : url;
    const known = this.#origins.get(name);
    if (known !== undefined) return known;
    const origin: Origin = { name, ready: new Set(), lanes: 0, sending: 0, failing: 0 };
    this.#origins.set(name, origin);
    return origin;
  }

  /** At the end of the line, unless it stands there already. */
  #line(lane: Lane): void {
    lane.origin.ready.add(lane);
    this.#ready.add(lane.origin);
  }

  /** The next chain whose first delivery may be sent; undefined when none may. */
  next(): Chain | undefined {
    for (const origin of this.#ready) {
      if (this.#sending >= this.#bounds.inFlight) return undefined;
      // Either it is none that could send, or it goes to the end of the line: the others come first.
      this.#ready.delete(origin);
      const lane = this.#nextAt(origin);
      if (lane === undefined) continue;
      const chain = lane.queue.shift();
      this.#line(lane);
      this.#count(lane, 1);
      return chain;
    }
    return undefined;
  }

  #nextAt(origin: Origin): Lane | undefined {
    if (origin.sending >= this.#bounds.perOrigin) return undefined;
    const mayFail = origin.failing < Math.max(1, this.#bounds.perOrigin * FAILING_SHARE);
    for (const lane of origin.ready) {
      // Keeps its place until one of those that fail has ended.
      if (lane.isFailing && !mayFail) continue;
      origin.ready.delete(lane);
      if (lane.queue.length > 0 && lane.sending < this.#limitOf(lane)) return lane;
    }
    return undefined;
  }

  #count(lane: Lane, requests: 1 | -1): void {
    lane.sending += requests;
    lane.origin.sending += requests;
    if (lane.isFailing) lane.origin.failing += requests;
    this.#sending += requests;
  }

  /** A request has ended, or was not begun after all. */
  ended({ webhookId }: { readonly webhookId: string }, outcome?: AttemptOutcome): void {
    const lane = this.#mustBe(webhookId);
    this.#count(lane, -1);
    if (outcome !== undefined) this.#mark(lane, this.#isFailure(outcome));
    if (lane.queue.length > 0) lane.origin.ready.add(lane);
    // There is room for another lane too.
    if (lane.origin.ready.size > 0) this.#ready.add(lane.origin);
  }

  #mark(lane: Lane, isFailing: boolean): void {
    if (lane.isFailing === isFailing) return;
    lane.isFailing = isFailing;
    lane.origin.failing += isFailing ? lane.sending : -lane.sending;
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
    this.#line(lane);
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
    if (lane.held === 0) this.#forget(lane);
    return looksForMore;
  }

  #forget({ webhookId, origin }: Lane): void {
    this.#lanes.delete(webhookId);
    origin.lanes -= 1;
    if (origin.lanes === 0) this.#origins.delete(origin.name);
  }

  /** Everything that waits, taken out; of one webhook, or of all. */
  takeWaiting(webhookId?: string): Chain[] {
    const lanes = [...this.#lanes.values()].filter((lane) => webhookId === undefined || lane.webhookId === webhookId);
    return lanes.flatMap((lane) => lane.queue.splice(0));
  }

  /** None, until half of what it may hold is free: a claim for one delivery at a time would be a waste. */
  #freeIn(lane: Pick<Lane, 'isFailing' | 'held'>): number {
    const most = this.#mostIn(lane);
    return lane.held > most / 2 ? 0 : most - lane.held;
  }

  #mostIn(lane: Pick<Lane, 'isFailing'>): number {
    return this.#limitOf(lane) * CLAIMED_PER_REQUEST;
  }

  #limitOf({ isFailing }: Pick<Lane, 'isFailing'>): number {
    return isFailing ? 1 : this.#bounds.perEndpoint;
  }

  #mustBe(webhookId: string): Lane {
    return present(this.#lanes.get(webhookId), 'lane of a delivery that is under way');
  }
}
