/**
 * Statements as they are given where each of their lists holds one element, as those of a batch of one do: the element
 * is named where a set would be made of the list, joined and sorted. The rows are the same
 * (docs/adr/0019-one-row-is-asked-for-without-a-set.md).
 */
import type { SqlValue } from '../kernel/database.ts';
import { forOneServer } from './one-server.ts';
import { KEYS_IN_ORDER } from './tenants.ts';

/** What a statement is told, by how many rows it is about. */
export interface Forms {
  readonly text: string;
  readonly ofOneRow?: { readonly text: string; readonly lists: readonly number[] };
}

/** Lists side by side, as one-server.ts writes them. */
const LIST = /(?<=\(select |, )unnest\(\$(\d+)::(\w+)\[\]\)(?= as \w)/g;
const NUMBER = /(?<=, )generate_subscripts\(\$\d+::\w+\[\], 1\)(?= as \w)/g;
/** What is left of them is written in another way, and may be a set of many rows. */
const IS_SET = /\b(?:unnest|generate_subscripts)\(/;
/** One key needs no order, and has no double. */
const IN_ORDER = forOneServer(KEYS_IN_ORDER);
const KEY = IN_ORDER.slice(IN_ORDER.indexOf('from ') + 'from '.length, IN_ORDER.lastIndexOf(' order by'));

/** To be given the statement as one server is given it. */
export function formsOf(text: string): Forms {
  const lists = new Set<number>();
  const ofOneRow = text
    .replace(IN_ORDER, () => KEY)
    .replace(LIST, (_, number: string, type: string) => {
      lists.add(Number(number) - 1);
      return `($${number}::${type}[])[1]`;
    })
    .replace(NUMBER, '1');
  if (lists.size === 0 || IS_SET.test(ofOneRow)) return { text };
  return { text, ofOneRow: { text: ofOneRow, lists: [...lists] } };
}

/** Undefined: it is not about one row, or is not asked in that way. */
export function textOfOneRow({ ofOneRow }: Forms, values: readonly SqlValue[]): string | undefined {
  return ofOneRow?.lists.every((place) => isOne(values[place])) ? ofOneRow.text : undefined;
}

function isOne(value: SqlValue | undefined): boolean {
  return Array.isArray(value) && value.length === 1;
}
