/** What commands that list have in common: the flags of pages, and one table of what was found. */
import type { Command } from 'commander';
import { type Json, listAt, textAt } from './json.ts';
import type { OperatorCall } from './operator-client.ts';
import { callOperator, type OperatorFlags, print } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

export interface PageFlags extends OperatorFlags {
  readonly after?: string;
  readonly limit?: string;
}

interface Listing extends Pick<OperatorCall, 'path' | 'query'> {
  /** Where the rows are in the answer. */
  readonly rows: string;
  readonly columns: readonly Column<Json>[];
  /** What is said in place of a table without rows. */
  readonly none?: string;
  /** The flag that takes the `next` of an answer. */
  readonly nextBy?: '--after' | '--before';
}

export function withPages(command: Command): Command {
  return withLimit(command.option('--after <cursor>', 'begin behind this one: the `next` of the page before'));
}

/** For pages that go on by another flag. */
export function withLimit(command: Command): Command {
  return command.option('--limit <number>', 'at most so many, up to 500');
}

export async function printListing(flags: OperatorFlags, listing: Listing): Promise<void> {
  const { path, query = {}, rows, columns, none, nextBy = '--after' } = listing;
  const body = await callOperator(flags, { method: 'GET', path, query });
  print(flags, body, () => {
    const found = listAt(body, rows);
    if (found.length === 0 && none !== undefined) return none;
    const next = textAt(body, 'next');
    const more = next === '' ? '' : `\nThere may be more: ${nextBy} ${next}`;
    return `${formatTable(columns, found)}${more}`;
  });
}
