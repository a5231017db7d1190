/** Statements as the driver takes them: each text is known by a short name, under which connections prepare it once. */
import { assert } from '../kernel/assert.ts';
import type { SqlValue } from '../kernel/database.ts';
import { type Forms, formsOf, textOfOneRow } from './one-row.ts';
import { forOneServer } from './one-server.ts';
import { type ListTypes, listTypesOf, pgValue } from './pg-values.ts';

/** Statement texts are constants, so there are only as many as the program has. More means text built from values. */
const MAX_STATEMENTS = 2_000;

interface KnownStatement extends Forms {
  readonly name: string;
  readonly nameOfOneRow: string;
  readonly listTypes: ListTypes;
}

export class Statements {
  readonly #known = new Map<string, KnownStatement>();
  readonly #isDistributed: boolean;

  constructor(isDistributed: boolean) {
    this.#isDistributed = isDistributed;
  }

  get areForOneServer(): boolean {
    return !this.#isDistributed;
  }

  with(given: string, values: readonly SqlValue[] = []) {
    const known = this.#known.get(given) ?? this.#know(given);
    const ofOneRow = textOfOneRow(known, values);
    return {
      name: ofOneRow === undefined ? known.name : known.nameOfOneRow,
      text: ofOneRow ?? known.text,
      values: values.map((value, place) => pgValue(value, known.listTypes[place])),
    };
  }

  #know(given: string): KnownStatement {
    assert(this.#known.size < MAX_STATEMENTS, 'statement texts must be constants');
    const forms = this.#isDistributed ? { text: given } : formsOf(forOneServer(given));
    const name = `s${this.#known.size + 1}`;
    const statement = { ...forms, name, nameOfOneRow: `${name}_one`, listTypes: listTypesOf(forms.text) };
    this.#known.set(given, statement);
    return statement;
  }
}
