/**
 * One simulated process of the service: alive until it crashes. What is armed for it goes wrong at one of its next
 * moments: a statement, a commit, a call to the outside.
 */
import type { Mishap, Moment, Mortal } from './database/port.ts';
import type { TimerOwner } from './sealed/virtual-time.ts';

/** Where a process can be caught: in the database, or while it talks to providers and receivers. */
export type AnyMoment = Moment | 'call' | 'called';

export interface ArmedMishap {
  readonly what: Mishap;
  readonly at: AnyMoment;
  /** So many moments of that kind are let go before. */
  countdown: number;
}

export class Crashed extends Error {
  override readonly name = 'Crashed';
}

export interface ProcessWatch {
  onMishap(process: SimulatedProcess, mishap: ArmedMishap): void;
}

export class SimulatedProcess implements Mortal, TimerOwner {
  readonly name: string;
  readonly death: Promise<never>;
  readonly #watch: ProcessWatch;
  #armed: ArmedMishap[] = [];
  #isAlive = true;
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
  }

  mishapAt(moment: AnyMoment): Mishap | undefined {
    for (const armed of this.#armed) {
      if (armed.at !== moment) continue;
      armed.countdown -= 1;
      if (armed.countdown >= 0) continue;
      this.#armed = this.#armed.filter((each) => each !== armed);
      this.#watch.onMishap(this, armed);
      return armed.what;
    }
    return undefined;
  }
}
