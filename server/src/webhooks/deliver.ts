/**
 * The delivery worker: claims what is due, sends it with no transaction open, and records what came of it in batches of
 * those that have ended; nobody waits for the slowest. Events of one object go out one after the other. What this
 * process stores itself it may be handed over, claimed already. Spec: Events (3).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import { BatchRunner } from '../kernel/batch.ts';
import { Passing } from '../kernel/passing.ts';
import { putOffFrom } from '../kernel/put-off.ts';
import { claimDeliveries, leaseFrom, UNSIGNED } from './claim.ts';
import { CONNECTION_BOUNDS } from './connections.ts';
import type { Attempt, Chain, ClaimedDelivery, DeliveryKey } from './delivery.ts';
import type { ObserveAttempt } from './delivery-metrics.ts';
import { giveBack, putOffDeliveries } from './delivery-store.ts';
import { EndpointLanes } from './endpoint-lanes.ts';
import type { Unsigned } from './fill-deliveries.ts';
import { type HandOver, makeReady, type Outgoing, type Ready } from './hand-over.ts';
import { type HttpSender, longestWaitMs } from './http-sender.ts';
import type { BirthClaim } from './outbox.ts';
import { type Recorded, recordAttempts } from './record.ts';
import { scheduleOf } from './schedule.ts';
import { type SendParts, sendFirst } from './send.ts';
import { TextRoom } from './text-room.ts';
import { UnsignedWebhooks } from './unsigned.ts';

type DeliveryContext = Pick<Context, 'db' | 'clock' | 'ids' | 'seal' | 'settings' | 'log' | 'metrics'>;

export interface DeliveryParts {
  readonly httpClient: Pick<HttpSender, 'send'>;
  /** Told when there may be more to claim. */
  readonly onFree?: () => void;
  /** At least 0 and below 1: spreads the retries. */
  readonly chance?: () => number;
  readonly observe?: ObserveAttempt;
  /** How much text may be in memory; a test passes its own. */
  readonly room?: TextRoom;
}

const MAX_ATTEMPTS_PER_BATCH = 256;
const RECORD_LANES = 2;
/** A request is begun only if it can end and be recorded within the lease. */
const RECORD_MARGIN_MS = 2_000;
const RECORD_OPERATION = 'record_attempts';
/** How long a delivery waits that could not be sent because our connections to its host were in use. */
const NOT_SENT_PAUSE_MS = 10_000;

export class Deliveries implements Outgoing {
  readonly #ctx: DeliveryContext;
  readonly #parts: SendParts;
  readonly #onFree: () => void;
  readonly #lanes: EndpointLanes;
  readonly #room: TextRoom;
  readonly #unsigned: UnsignedWebhooks;
  readonly #records: BatchRunner<Attempt, Recorded>;
  readonly #observe: ObserveAttempt;
  readonly #underWay = new Passing<Promise<void>>();
  #after: Parameters<typeof claimDeliveries>[1]['after'] = null;
  #isStopping = false;

  constructor(ctx: DeliveryContext, parts: DeliveryParts) {
    const { httpClient, onFree = () => undefined, chance = Math.random, observe = () => undefined } = parts;
    this.#room = parts.room ?? new TextRoom();
    const { webhooks, database } = ctx.settings;
    this.#ctx = ctx;
    this.#parts = { httpClient, chance, schedule: scheduleOf(webhooks) };
    this.#onFree = onFree;
    this.#lanes = new EndpointLanes({ perOrigin: CONNECTION_BOUNDS.perOrigin, ...webhooks });
    this.#unsigned = new UnsignedWebhooks(ctx);
    this.#observe = observe;
    this.#records = new BatchRunner<Attempt, Recorded>(
      {
        name: RECORD_OPERATION,
        lanes: RECORD_LANES,
        maxCommands: MAX_ATTEMPTS_PER_BATCH,
        tenantOf: ({ delivery }) => delivery.accountId,
        oneTenant: database.oneTenantBatches,
        pause: (delayMs) => sleep(delayMs),
        observe: ctx.metrics.batchObserver(RECORD_OPERATION),
      },
      (attempts) => recordAttempts(ctx, attempts),
    );
  }

  /** Claims what is due and begins to send it; tells whether more may be due. */
  async turn(): Promise<boolean> {
    const claim = await claimDeliveries(this.#ctx, {
      after: this.#after,
      without: this.#closed(),
      freeFor: (endpoint) => (this.#room.isFullFor(endpoint.accountId) ? 0 : this.#lanes.freeFor(endpoint)),
      room: this.#room,
    });
    this.#after = claim.next;
    this.#unsigned.leaveAlone(claim.unsigned);
    const endpoints = new Map(claim.endpoints.map((endpoint) => [endpoint.webhookId, endpoint]));
    for (const chain of claim.chains) {
      this.#room.hold(chain);
      this.#lanes.add(chain, present(endpoints.get(chain[0].webhookId), 'endpoint of a claim'));
    }
    this.#pump();
    return claim.hasMore;
  }

  claimNew(events: number): BirthClaim | undefined {
    if (this.#isStopping || this.#lanes.room < events) return undefined;
    return {
      claimId: this.#ctx.ids.next(),
      leaseUntil: leaseFrom(this.#ctx.clock.now(), this.#ctx),
      without: this.#closed(),
      perWebhook: this.#lanes.sureRoom,
    };
  }

  sendNew(batch: HandOver): void {
    if (batch.taken.length === 0) return;
    // What is not sent comes back when its lease ends.
    this.#track(this.#sendNew(batch).catch((fault) => this.#ctx.log.warn('new deliveries not sent', {}, fault)));
  }

  /** Sends no more: what is under way is finished and recorded, what waits is given back. */
  async settle(): Promise<void> {
    this.#isStopping = true;
    await this.#returnAll(this.#lanes.takeWaiting());
    await this.idle();
    await this.#records.close();
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.members());
  }

  async #sendNew(batch: HandOver): Promise<void> {
    const { chains, unsigned } = await this.#makeReady(batch);
    const tooMany: Chain[] = [];
    for (const chain of chains) {
      const hasRoom = !this.#isStopping && !this.#room.isFullFor(chain[0].accountId);
      if (hasRoom && this.#lanes.addNew(chain)) this.#room.hold(chain);
      else tooMany.push(chain);
    }
    this.#pump();
    if (tooMany.length > 0) {
      await this.#giveBack(tooMany.flat());
      if (!this.#isStopping) this.#onFree();
    }
    if (unsigned.length > 0) await this.#putOff(unsigned);
  }

  /** Where that breaks, all of it goes back: it is claimed like everything else, and there what is broken is found. */
  async #makeReady(batch: HandOver): Promise<Ready> {
    try {
      return await makeReady(this.#ctx, batch);
    } catch (fault) {
      this.#ctx.log.warn('new deliveries not made ready', { count: batch.taken.length }, fault);
      const { claimId } = batch.claim;
      await this.#giveBack(batch.taken.map((delivery) => ({ ...delivery, claimId })));
      if (!this.#isStopping) this.#onFree();
      return { chains: [], unsigned: [] };
    }
  }

  async #putOff(unsigned: readonly Unsigned[]): Promise<void> {
    this.#unsigned.leaveAlone(unsigned);
    const dueAt = putOffFrom(this.#ctx.clock.now());
    const waiting = unsigned.map(({ delivery }) => ({ ...delivery, dueAt }));
    await this.#ctx.db.inTx((tx) => putOffDeliveries(tx, waiting, UNSIGNED));
  }

  /** Webhooks that get nothing now. */
  #closed(): string[] {
    return [...this.#lanes.full(), ...this.#unsigned.ids()];
  }

  #pump(): void {
    for (let chain = this.#lanes.next(); chain !== undefined; chain = this.#lanes.next())
      this.#track(this.#step(chain));
  }

  #track(work: Promise<void>): void {
    const leave = this.#underWay.add(work.finally(() => leave()));
  }

  /** One request and its record; then the rest of the chain has its turn. */
  async #step(chain: Chain): Promise<void> {
    const [delivery] = chain;
    if (!this.#isInTime(delivery)) {
      this.#lanes.ended(delivery);
      await this.#returnAll([chain]);
      return;
    }
    const attempt = await sendFirst(this.#ctx, this.#parts, chain);
    if (attempt.outcome.kind === 'not_sent') {
      // No attempt: it uses up none of the tries, and the time-outs in a row stay as they are.
      this.#lanes.ended(delivery);
      await this.#returnAll([chain], NOT_SENT_PAUSE_MS);
      this.#pump();
      return;
    }
    this.#lanes.ended(delivery, attempt.outcome);
    this.#pump();
    this.#observe(attempt);
    await this.#record(attempt);
    this.#pump();
  }

  async #record(attempt: Attempt): Promise<void> {
    const { behind, delivery } = attempt;
    const { webhookId } = delivery;
    const recorded = await this.#records.submit(attempt).catch((fault: unknown) => {
      // The lease runs out and it is sent once more: at least once, and never forgotten.
      this.#ctx.log.warn('attempt not recorded', { webhook_id: webhookId, attempt_id: attempt.attemptId }, fault);
      return undefined;
    });
    const [next, ...rest] = behind;
    const goesOn = recorded?.isEnded === false && attempt.next.nextAttemptAt === null && next !== undefined;
    if (goesOn && this.#isStopping) await this.#returnAll([[next, ...rest]]);
    else if (goesOn) this.#lanes.goOn([next, ...rest]);
    this.#free(goesOn ? [delivery] : [delivery, ...behind]);
    if (recorded?.hasReleased === true && !this.#isStopping) this.#onFree();
    if (recorded?.isEnded === true) {
      for (const waiting of this.#lanes.takeWaiting(webhookId)) this.#free(waiting);
    }
  }

  #isInTime({ nextAttemptAt: leaseUntil }: ClaimedDelivery): boolean {
    const { webhooks } = this.#ctx.settings;
    const neededMs = longestWaitMs(webhooks) + webhooks.timeoutMs + RECORD_MARGIN_MS;
    return leaseUntil.getTime() - this.#ctx.clock.now().getTime() >= neededMs;
  }

  async #returnAll(chains: readonly Chain[], pauseMs = 0): Promise<void> {
    await this.#giveBack(chains.flat(), pauseMs);
    for (const chain of chains) this.#free(chain);
  }

  async #giveBack(held: readonly (DeliveryKey & { readonly claimId: string })[], pauseMs = 0): Promise<void> {
    const dueAt = new Date(this.#ctx.clock.now().getTime() + pauseMs);
    const deliveries = held.map((delivery) => ({ ...delivery, dueAt }));
    await this.#ctx.db
      .inTx((tx) => giveBack(tx, deliveries))
      .catch((fault: unknown) => this.#ctx.log.warn('deliveries not given back', { count: deliveries.length }, fault));
  }

  /** Of one chain. Where its account had no room left, more of it may wait. */
  #free(ended: Chain): void {
    const { accountId, webhookId } = ended[0];
    const wasFull = this.#room.isFullFor(accountId);
    this.#room.giveBack(ended);
    const looksForMore = this.#lanes.done(webhookId, ended.length);
    if ((looksForMore || wasFull) && !this.#isStopping) this.#onFree();
  }
}
