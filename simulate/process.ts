/**
 * One simulated process of the service: alive until it crashes. What is armed for it goes wrong at one of its next
 * moments: a statement, a commit, a call to the outside.
 */
import type { Mishap, Moment, Mortal } from './database/port.ts';
import type { TimerOwner } from './sealed/virtual-time.ts';

/**
 * Where a process can be caught: in the database, while it talks to others, and with a no of a provider in its hands.
 */
type AnyMoment = Moment | 'call' | 'called' | 'refused';

export interface ArmedMishap {
  /** `sleep`: nothing reaches it for a while. What it has sent is sent. */
  readonly what: Mishap | 'sleep';
  readonly at: AnyMoment;
  /** How long it sleeps. */
  readonly forMs?: number;
  /** So many moments of that kind are let go before. */
  countdown: number;
}

/** At which moment of its start a process dies, should it get so far. */
export type DeadlyStart = Readonly<Pick<ArmedMishap, 'at' | 'countdown'>>;

class Crashed extends Error {
  override readonly name = 'Crashed';
}

interface ProcessWatch {
  onMishap(process: SimulatedProcess, mishap: ArmedMishap): void;
}

export class SimulatedProcess implements Mortal, TimerOwner {
  readonly name: string;
  readonly death: Promise<never>;
  readonly #watch: ProcessWatch;
  #armed: ArmedMishap[] = [];
  #isAlive = true;
  #isAsleep = false;
  #awake: Promise<void> = Promise.resolve();
  #wake: () => void = () => undefined;
  #reject: (fault: Crashed) => void = () => undefined;

  constructor(name: string, watch: ProcessWatch) {
    this.name = name;
    this.#watch = watch;
    this.death = new Promise<never>((_, reject) => {
      this.#reject = reject;
    });
    // Whoever waits for it hears of it; nobody has to.
    this.death.catch(() => undefined);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  arm(mishap: ArmedMishap): void {
    this.#armed.push(mishap);
  }

  disarm(): void {
    this.#armed = [];
  }

  die(): void {
    this.#isAlive = false;
    this.#reject(new Crashed(this.name));
    this.wakeUp();
  }

  /** No answer, no request, no timer and no wake-up reaches it now. */
  get isAsleep(): boolean {
    return this.#isAsleep;
  }

  /** Resolves when it is awake, or dead. */
  awake(): Promise<void> {
    return this.#awake;
  }

  fallAsleep(): void {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    this.#awake = new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  wakeUp(): void {
    this.#isAsleep = false;
    this.#wake();
  }

  mishapAt(moment: AnyMoment): Mishap | undefined {
    for (const armed of this.#armed) {
      if (armed.at !== moment) continue;
      armed.countdown -= 1;
      if (armed.countdown >= 0) continue;
      this.#armed = this.#armed.filter((each) => each !== armed);
      this.#watch.onMishap(this, armed);
      if (armed.what !== 'sleep') return armed.what;
    }
    return undefined;
  }
}
