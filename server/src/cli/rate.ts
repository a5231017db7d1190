/** `payferry rate set|list` */
import type { Command } from 'commander';
import { type Json, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import type { Column } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'set <currency> <value>', 'set a mid rate: units of the currency per one US dollar')
    .option('--force', 'also when it lies further from the one in force than rates.max_change_percent allows')
    .action(set);
  readingCommand(command, 'list', 'list the mid rates in force, against the US dollar').action(list);
}

async function set(currency: string, value: string, flags: OperatorFlags & { readonly force?: true }): Promise<void> {
  const path = pathTo`/operator/rates/${currency}`;
  const body = await callOperator(flags, { method: 'PUT', path, body: { value, force: flags.force === true } });
  print(flags, body, () => `1 USD = ${textAt(body, 'rate', 'value')} ${currency}`);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Currency', cell: (rate) => textAt(rate, 'currency') },
  { title: 'Per USD', cell: (rate) => textAt(rate, 'value'), isNumber: true },
  { title: 'From', cell: (rate) => textAt(rate, 'origin') },
  { title: 'As of', cell: (rate) => textAt(rate, 'as_of') },
  { title: 'Note', cell: (rate) => (textAt(rate, 'stale') === 'true' ? 'stale: not used' : '') },
];

function list(flags: OperatorFlags): Promise<void> {
  return printListing(flags, { path: '/operator/rates', rows: 'rates', columns: COLUMNS });
}
