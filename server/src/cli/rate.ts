/** `payferry rate set|list` */
import type { Command } from 'commander';
import { type Json, listAt, textAt } from './json.ts';
import { actingCommand, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'set <currency> <value>', 'set a mid rate: units of the currency per one US dollar')
    .option('--force', 'also when it lies further from the one in force than rates.max_change_percent allows')
    .action(set);
  readingCommand(command, 'list', 'list the mid rates in force, against the US dollar').action(list);
}

async function set(currency: string, value: string, flags: OperatorFlags & { readonly force?: true }): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/rates/${encodeURIComponent(currency)}`;
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

async function list(flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const body = await callOperator(flags, { method: 'GET', path: '/operator/rates' });
  print(flags, body, () => formatTable(COLUMNS, listAt(body, 'rates')));
}
