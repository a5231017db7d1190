/**
 * The states that webhooks told, and whether they go along the tables. A transaction tells of its recipients and payin
 * methods too, and how these stand to what they tell themselves is promised by nobody: each teller is followed alone.
 */
import { CREATION, type StateTable } from '../../server/src/kernel/state-table.ts';
import { payinMethodTable } from '../../server/src/payins/states.ts';
import { recipientTable } from '../../server/src/recipients/states.ts';
import { transactionTable } from '../../server/src/transactions/states.ts';
import { textAt, valueAt } from '../../test/service/calls.ts';

type Table = StateTable<string, string>;

const TABLES: Readonly<Record<string, Table>> = {
  transaction: transactionTable,
  recipient: recipientTable,
  payin_method: payinMethodTable,
};
/** From here only people lead on, and there are none in these proofs. */
const BROKEN = 'exception';

interface Story {
  readonly kind: string;
  readonly states: string[];
}

export class ToldStates {
  readonly #stories = new Map<string, Story>();

  /** An event that comes for the first time. */
  hear(event: string, object: unknown): void {
    const [kind = ''] = event.split('.');
    const teller = textAt(object, 'id');
    this.#add(kind, object, teller);
    for (const each of listAt(object, 'recipients')) this.#add('recipient', each, teller);
    for (const each of listAt(object, 'payin_methods')) this.#add('payin_method', each, teller);
  }

  /** What is wrong with the first that did not go along its table. */
  fault(): string | undefined {
    for (const [who, { kind, states }] of this.#stories) {
      const wrong = wrongMove(kind, states);
      if (wrong !== undefined) return `${who}: ${wrong}, told were ${states.join()}`;
    }
    return undefined;
  }

  #add(kind: string, object: unknown, teller: string): void {
    if (!(kind in TABLES)) return;
    const who = `${kind} ${textAt(object, 'id')}, as ${teller} told it`;
    const story = this.#stories.get(who) ?? { kind, states: [] };
    this.#stories.set(who, story);
    story.states.push(textAt(object, 'state'));
  }
}

/** Not every move is told: between two states that were, there may be others. */
export function wrongMove(kind: string, states: readonly string[]): string | undefined {
  const table = TABLES[kind];
  if (table === undefined) return `there is no table of a ${kind}`;
  let from: string = CREATION;
  for (const to of states) {
    if (from !== to && !leadsTo(table, from, to)) return `no way leads from ${from} to ${to}`;
    from = to;
  }
  return undefined;
}

function leadsTo(table: Table, from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const state of reached) {
    if (state === BROKEN) continue;
    for (const step of table.steps) if (step.from === state) reached.add(step.to);
  }
  return reached.has(to);
}

function listAt(object: unknown, name: string): readonly unknown[] {
  const list = valueAt(object, name);
  return Array.isArray(list) ? list : [];
}
