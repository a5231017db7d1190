/**
 * What operators say about providers, and how each process comes to do it: the rows are read now and then and when
 * somebody says that they changed, and what was not seen before goes onto this process's board. Open point OP-162.
 */
import type { Queryable, Tx } from '../kernel/database.ts';
import type { HealthBoard } from './health-board.ts';
import { lockSwitch, type ProviderSwitch, putSwitch, readSwitches } from './switch-store.ts';

export type { ProviderSwitch } from './switch-store.ts';

export function listSwitches(db: Queryable): Promise<ProviderSwitch[]> {
  return readSwitches(db);
}

/** Gives what was said before, if anything was. */
export async function setSwitch(tx: Tx, said: ProviderSwitch): Promise<ProviderSwitch | undefined> {
  const before = await lockSwitch(tx, said.provider);
  await putSwitch(tx, said);
  return before;
}

export class SwitchFollower {
  readonly #health: Pick<HealthBoard, 'hold' | 'release'>;
  /** By provider, when what was last done was said. */
  readonly #seen = new Map<string, number>();

  constructor(health: Pick<HealthBoard, 'hold' | 'release'>) {
    this.#health = health;
  }

  async follow(db: Queryable): Promise<void> {
    for (const said of await readSwitches(db)) this.#do(said);
  }

  #do({ provider, isHeld, changedAt, changedBy }: ProviderSwitch): void {
    // Two words within one millisecond differ in what they say, if they differ in anything.
    const word = changedAt.getTime() * 2 + (isHeld ? 1 : 0);
    if (this.#seen.get(provider) === word) return;
    this.#seen.set(provider, word);
    if (isHeld) this.#health.hold(provider, changedBy);
    else this.#health.release(provider);
  }
}
