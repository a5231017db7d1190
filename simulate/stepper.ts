/**
 * How time goes on. While anything is under way, time passes from timer to timer, as it would. While the service is at
 * rest it jumps to whatever comes next: something due in the database, or somebody in the world who does something.
 */
import { present } from '../server/src/kernel/assert.ts';
import type { World } from './world.ts';

/** So many turns of the event loop without anything happening: whoever still waits, waits for time. */
const QUIET_TURNS = 8;
/** How far the clock of the machine goes when the business clock jumps: timers of seconds do not run for each jump. */
const IDLE_PASS_MS = 20;
/**
 * While a call is under way, a timer this near comes first. What becomes due meanwhile is noticed right behind it, and
 * the database is not asked before each of them.
 */
const NEAR_MS = 500;
/** A wake-up that is lost now and then: the loops must find what is due by looking. */
const LOST_WAKE_PERCENT = 3;

const NEXT_DUE = `select
  (select min(t.due_at) from transactions t where t.due_at is not null) as transaction_at,
  (select min(d.next_attempt_at) from webhook_deliveries d where d.next_attempt_at is not null) as delivery_at,
  (select min(s.due_at) from senders s where s.due_at is not null) as sender_at`;

interface Due {
  readonly transactionAt: number;
  readonly deliveryAt: number;
  readonly senderAt: number;
}

const NEVER = Number.POSITIVE_INFINITY;

export class Stepper {
  readonly #world: World;
  #due: Due = { transactionAt: NEVER, deliveryAt: NEVER, senderAt: NEVER };
  #readAt = -1;
  /** Up to when it was noticed what is due. */
  #noticedUntilMs = 0;
  steps = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Lets everything run that can run without time. */
  async settle(): Promise<void> {
    const { host } = this.#world;
    let seen = host.activity;
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (seen !== host.activity || host.isBusy) quiet = -1;
      seen = host.activity;
    }
  }

  /** One step; false when nothing is left that could happen. */
  async step(): Promise<boolean> {
    const world = this.#world;
    const { time, agenda } = world;
    this.steps += 1;
    await this.settle();
    if (time.runDue()) return true;
    const untilAgenda = (agenda.nextAt() ?? NEVER) - time.nowMs;
    if (untilAgenda <= 0) {
      agenda.runNext();
      return true;
    }
    const untilTimer = time.untilTimer() ?? NEVER;
    if (world.inFlight > 0 && untilTimer <= Math.min(NEAR_MS, untilAgenda)) {
      time.pass(untilTimer);
      return true;
    }
    const due = this.#readDue();
    if (this.#notice(due)) return true;
    const untilDue = Math.min(due.transactionAt, due.deliveryAt, due.senderAt) - time.nowMs;
    const isAtRest = world.inFlight === 0 && world.running.length > 0 && untilDue > 0;
    return isAtRest ? this.#rest(Math.min(untilAgenda, untilDue)) : this.#pass(untilAgenda, untilDue);
  }

  /** At rest: to whatever comes next. */
  #rest(ms: number): boolean {
    const { time } = this.#world;
    if (ms === NEVER) return false;
    const untilTimer = time.untilTimer() ?? NEVER;
    const passMs = Math.min(ms, IDLE_PASS_MS);
    if (untilTimer <= passMs) {
      time.pass(untilTimer);
      return true;
    }
    time.pass(passMs);
    time.skip(ms - passMs);
    return true;
  }

  /** Something is under way: not beyond the next timer. */
  #pass(untilAgenda: number, untilDue: number): boolean {
    const { time } = this.#world;
    const untilTimer = time.untilTimer() ?? NEVER;
    const ms = Math.min(untilTimer, untilAgenda, untilDue > 0 ? untilDue : NEVER);
    if (ms === NEVER) return false;
    time.pass(ms);
    return true;
  }

  /** Wakes the loops for what has become due since the last look; tells whether it did. */
  #notice({ transactionAt, deliveryAt, senderAt }: Due): boolean {
    const { time, hub } = this.#world;
    const sinceMs = this.#noticedUntilMs;
    const isNew = (atMs: number) => atMs > sinceMs && atMs <= time.nowMs;
    this.#noticedUntilMs = time.nowMs;
    if (![transactionAt, deliveryAt, senderAt].some(isNew)) return false;
    if (this.#world.draw('lost wake-ups').percent(LOST_WAKE_PERCENT)) return false;
    if (isNew(transactionAt)) hub.wakeAll('transactions');
    if (isNew(deliveryAt)) hub.wakeAll('deliveries');
    if (isNew(senderAt)) hub.wakeAll('senders');
    return true;
  }

  /** Asked again only when something was changed in the database. */
  #readDue(): Due {
    const { engine } = this.#world.host;
    if (this.#readAt === engine.changes) return this.#due;
    const row = present(engine.run(NEXT_DUE).rows[0], 'what is due');
    this.#due = {
      transactionAt: msOf(row['transaction_at']),
      deliveryAt: msOf(row['delivery_at']),
      senderAt: msOf(row['sender_at']),
    };
    this.#readAt = engine.changes;
    return this.#due;
  }
}

function msOf(value: unknown): number {
  return value instanceof Date ? value.getTime() : Number.POSITIVE_INFINITY;
}
