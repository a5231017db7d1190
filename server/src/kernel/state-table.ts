/**
 * State tables. This file knows no domain: rows go in, the next state comes out, or nothing, when the table has no such
 * move. A state changes through its table and in no other way. Spec: States and transitions.
 */
import { assert, BrokenInvariant, present } from './assert.ts';

/** Where a new object comes from; written so in the From column. */
export const CREATION = '(creation)';
export type Creation = typeof CREATION;

export interface StateRow<State extends string = string> {
  readonly state: State;
  readonly meaning: string;
}

export interface TransitionRow<From extends string = string, To extends string = string, Move extends string = string> {
  /** The name of the move in code and logs. Rows share a name when they lead on from different states. */
  readonly move: Move;
  /** States, or names of groups of states, or the creation alone. */
  readonly from: readonly (From | Creation)[];
  readonly trigger: string;
  readonly condition?: string;
  /** One state, or several that are gone through in this order: "canceled, then refunded". */
  readonly to: readonly To[];
  readonly also?: string;
  /** Set where the specification leaves the row open, or shows none: a row of docs/open-points.md. */
  readonly openPoint?: `OP-${number}`;
}

export type AddedRow<
  From extends string = string,
  To extends string = string,
  Move extends string = string,
> = TransitionRow<From, To, Move> & Required<Pick<TransitionRow, 'openPoint'>>;

interface Rows<State extends string, Group extends string, Move extends string> {
  /** What moves: `transaction`. For messages. */
  readonly of: string;
  readonly states: readonly StateRow<State>[];
  /** Words of the tables that stand for several states. */
  readonly groups: Readonly<Record<Group, readonly NoInfer<State>[]>>;
  /** The specification's rows, in its order. */
  readonly transitions: readonly TransitionRow<NoInfer<State | Group>, NoInfer<State>, Move>[];
  /** The rows behind its "not shown". */
  readonly added: readonly AddedRow<NoInfer<State | Group>, NoInfer<State>, Move>[];
}

/** One step from one state to the next. A row with several sources and targets is several steps. */
export interface Step<State extends string, Move extends string> {
  readonly from: State | Creation;
  readonly move: Move;
  readonly to: State;
  /** False for the further steps of a row such as "canceled, then refunded". */
  readonly isFirst: boolean;
}

export interface StateTable<State extends string, Move extends string> {
  readonly states: readonly State[];
  readonly steps: readonly Step<State, Move>[];
  /** The state that the move leads to; undefined: there is no such move. Called again, it gives the row's next step. */
  move(from: State | Creation, move: Move): State | undefined;
  /** The same for a caller that has checked before: here a missing move is a bug. */
  mustMove(from: State | Creation, move: Move): State;
  /** The states in which the move may begin: the guard that the SQL update repeats. */
  sources(move: Move): readonly State[];
  /** Whether some move leads from the one state straight to the other. */
  leads(from: State, to: State): boolean;
  /** No move leaves it. */
  isFinal(state: State): boolean;
}

export function stateTable<const State extends string, const Group extends string, const Move extends string>(
  rows: Rows<State, Group, Move>,
): StateTable<State, Move> {
  const states = rows.states.map((row) => row.state);
  assert(new Set(states).size === states.length, `${rows.of}: a state is listed twice`);
  const steps = stateTableSteps(rows, states);
  const targets = new Map<string, State>();
  for (const step of steps) {
    const key = `${step.from} ${step.move}`;
    const known = targets.get(key);
    assert(known === undefined || known === step.to, `${rows.of}: two targets for ${step.move} from ${step.from}`);
    targets.set(key, step.to);
  }
  const move = (from: State | Creation, name: Move) => targets.get(`${from} ${name}`);
  return {
    states,
    steps,
    move,
    mustMove(from, name) {
      const to = move(from, name);
      if (to === undefined) throw new BrokenInvariant(`${rows.of}: no such move: ${name} from ${from}`);
      return to;
    },
    sources: (name) =>
      states.filter((state) => steps.some((step) => step.isFirst && step.move === name && step.from === state)),
    leads: (from, to) => steps.some((step) => step.from === from && step.to === to),
    isFinal: (state) => !steps.some((step) => step.from === state),
  };
}

function stateTableSteps<State extends string, Group extends string, Move extends string>(
  rows: Rows<State, Group, Move>,
  states: readonly State[],
): Step<State, Move>[] {
  const named = new Map<string, readonly (State | Creation)[]>(Object.entries<readonly State[]>(rows.groups));
  for (const name of [...states, CREATION] as const) {
    assert(!named.has(name), `${rows.of}: ${name} is both a state and a group`);
    named.set(name, [name]);
  }
  const steps: Step<State, Move>[] = [];
  for (const row of [...rows.transitions, ...rows.added]) {
    let from = row.from.flatMap((name) => present(named.get(name), `${rows.of}: state or group ${name}`));
    assert(from.length > 0, `${rows.of}: ${row.move} begins nowhere`);
    assert(row.to.length > 0, `${rows.of}: ${row.move} leads nowhere`);
    for (const [place, to] of row.to.entries()) {
      assert(states.includes(to), `${rows.of}: ${row.move} leads to the unknown state ${to}`);
      for (const state of from) steps.push({ from: state, move: row.move, to, isFirst: place === 0 });
      from = [to];
    }
  }
  return steps;
}
