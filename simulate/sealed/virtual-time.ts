/**
 * Time inside of the simulation. There are two clocks, as in a sandbox: the time of the machine, by which timers run,
 * and the business time, which is ahead of it by an offset and can be moved. Nothing happens by itself: the simulation
 * takes the next timer and says how far time goes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** Whoever sets timers. What is set outside of any process belongs to the world. */
export interface TimerOwner {
  readonly isAlive: boolean;
  /** Its timers wait until it is awake. */
  readonly isAsleep: boolean;
}

interface Timer {
  readonly run: () => void;
  readonly owner: TimerOwner | undefined;
  readonly everyMs: number | undefined;
  readonly number: number;
  atMs: number;
}

/** Later ones are as good as never; a number above it would not fit into a timer of Node either. */
const LONGEST_MS = 2 ** 31 - 1;

export class VirtualTime {
  readonly owners = new AsyncLocalStorage<TimerOwner>();
  readonly #startMs: number;
  #timers: Timer[] = [];
  #machineMs = 0;
  #offsetMs = 0;
  #skippedMs = 0;
  #made = 0;

  constructor(start: Date) {
    this.#startMs = start.getTime();
  }

  /** The time of the machine, in milliseconds since the start. */
  get machineMs(): number {
    return this.#machineMs;
  }

  /** The business time. */
  get nowMs(): number {
    return this.#startMs + this.#machineMs + this.#offsetMs;
  }

  /** Both clocks go on. */
  pass(ms: number): void {
    this.#machineMs += ms;
  }

  /** Only the business time moves, because somebody has set the clock: timers do not notice. */
  jump(ms: number): void {
    this.#offsetMs += ms;
  }

  /** A time of rest is left out: it has passed, and timers do not notice. */
  skip(ms: number): void {
    this.#offsetMs += ms;
    this.#skippedMs += ms;
  }

  /** What has passed since the start, whatever the clock was set to. */
  get passedMs(): number {
    return this.#machineMs + this.#skippedMs;
  }

  set(run: () => void, delayMs: number | undefined, repeats = false): Timer {
    const wait = Math.min(Math.max(1, Math.trunc(delayMs ?? 1) || 1), LONGEST_MS);
    this.#made += 1;
    const timer: Timer = {
      run,
      owner: this.owners.getStore(),
      everyMs: repeats ? wait : undefined,
      number: this.#made,
      atMs: this.#machineMs + wait,
    };
    this.#timers.push(timer);
    return timer;
  }

  clear(timer: unknown): void {
    this.#timers = this.#timers.filter((each) => each !== timer);
  }

  /** Milliseconds of the machine until the next timer; undefined: there is none. */
  untilTimer(): number | undefined {
    const next = this.#next();
    return next === undefined ? undefined : Math.max(0, next.atMs - this.#machineMs);
  }

  /** Runs the next timer if its time has come. Those of processes that ended are dropped. */
  runDue(): boolean {
    const next = this.#next();
    if (next === undefined || next.atMs > this.#machineMs) return false;
    if (next.everyMs === undefined) this.clear(next);
    else next.atMs = this.#machineMs + next.everyMs;
    if (next.owner === undefined) this.owners.exit(next.run);
    else this.owners.run(next.owner, next.run);
    return true;
  }

  /** Forgets all timers of a process that has died. */
  forget(owner: TimerOwner): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.owner?.isAsleep) continue;
      const isEarlier =
        first === undefined || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.number < first.number);
      if (isEarlier) first = timer;
    }
    return first;
  }
}
