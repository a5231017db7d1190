/**
 * The database as all processes of a simulation share it: one session, so transactions take turns in the order in which
 * they were asked for, and processes meet between commits. It also knows whether anything is going on in it.
 */
import type { Chance } from '../chance.ts';
import type { Engine } from './engine.ts';

/**
 * So many answers arrive a few turns of the event loop later than others: who asked first is not always first to go on.
 */
const SLOW_PERCENT = 25;
const MOST_TURNS = 3;

export class DatabaseHost {
  readonly engine: Engine;
  readonly #chance: Chance;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Counts up with everything that happens, so that the simulation sees when nothing does. */
  activity = 0;

  constructor(engine: Engine, chance: Chance) {
    this.engine = engine;
    this.#chance = chance;
  }

  get isBusy(): boolean {
    return this.#waiting > 0;
  }

  /** Resolves when nothing that was asked for is under way any more. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await last;
    }
  }

  /** Runs the work when everything that came before is done. The answer takes its time, by chance. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.activity += 1;
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      for (
        let turns = this.#chance.percent(SLOW_PERCENT) ? this.#chance.between(1, MOST_TURNS) : 0;
        turns > 0;
        turns -= 1
      ) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      this.#waiting -= 1;
      this.activity += 1;
    }
  }
}
