/** Something that has to hold. Each is a file of its own, and reads the database and the world as they are. */
import type { Stage } from '../stage.ts';
import type { World } from '../world.ts';

export interface Invariant {
  readonly name: string;
  /** Before anything runs: what has to be written down to be compared. */
  open?(world: World): void;
  /** What is wrong, now and then while everything goes on; it reads between two commits. */
  often?(stage: Stage): readonly string[];
  /** What is wrong when everything has come to rest. `often` is looked at then as well. */
  atEnd?(stage: Stage): readonly string[];
}

export type Row = Readonly<Record<string, unknown>>;

export function rowsOf({ host }: World, text: string, values: Parameters<typeof host.engine.run>[1] = []): Row[] {
  return host.engine.run(text, values).rows;
}
