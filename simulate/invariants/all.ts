/** All invariants, one line each. A new one is a file and a line. */
import type { Stage } from '../stage.ts';
import type { World } from '../world.ts';
import { acknowledged } from './acknowledged.ts';
import { agreement } from './agreement.ts';
import { books } from './books.ts';
import { cancelers } from './cancelers.ts';
import { checked } from './checked.ts';
import { conservation } from './conservation.ts';
import { decisions } from './decisions.ts';
import { endings } from './endings.ts';
import { events } from './events.ts';
import type { Invariant } from './invariant.ts';
import { moves } from './moves.ts';
import { payins } from './payins.ts';
import { refusals } from './refusals.ts';
import { stories } from './stories.ts';

const ALL: readonly Invariant[] = [
  books,
  moves,
  agreement,
  payins,
  refusals,
  acknowledged,
  decisions,
  checked,
  conservation,
  events,
  stories,
  cancelers,
  endings,
];

/** More lines about one broken thing help nobody. */
const MAX_TOLD = 5;

export function openInvariants(world: World): readonly Invariant[] {
  for (const invariant of ALL) invariant.open?.(world);
  return ALL;
}

export function checkOften(invariants: readonly Invariant[], stage: Stage): void {
  stage.world.host.engine.overAll(() => {
    for (const { name, often } of invariants) tell(stage, name, often?.(stage));
  });
}

export function checkAtEnd(invariants: readonly Invariant[], stage: Stage): void {
  checkOften(invariants, stage);
  stage.world.host.engine.overAll(() => {
    for (const { name, atEnd } of invariants) tell(stage, name, atEnd?.(stage));
  });
}

function tell({ world }: Stage, name: string, wrong: readonly string[] = []): void {
  for (const what of wrong.slice(0, MAX_TOLD)) world.violate(name, what);
}
