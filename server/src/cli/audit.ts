/** `payferry audit list` */
import type { Command } from 'commander';
import { type Json, listAt, textAt } from './json.ts';
import { type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

interface AuditFlags {
  readonly operator?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly before?: string;
  readonly limit?: string;
}

const FILTERS = ['operator', 'action', 'subject', 'before', 'limit'] as const;

export function register(command: Command): void {
  readingCommand(command, 'list', 'list what operators did, newest first; --json shows before and after')
    .option('--operator <name>', 'only by this operator')
    .option('--action <action>', 'only this action, for example balance.credit')
    .option('--subject <subject>', 'only on this account, key, currency or operator')
    .option('--before <cursor>', 'begin behind this row: the `next` of the page before')
    .option('--limit <number>', 'at most so many, up to 500')
    .action(list);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'When', cell: (row) => textAt(row, 'at') },
  { title: 'Who', cell: (row) => textAt(row, 'operator') },
  { title: 'What', cell: (row) => textAt(row, 'action') },
  { title: 'On', cell: (row) => textAt(row, 'subject') },
  { title: 'Command', cell: (row) => textAt(row, 'id') },
];

async function list(flags: OperatorFlags & AuditFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const query = new URLSearchParams();
  for (const name of FILTERS) {
    const value = flags[name];
    if (value !== undefined) query.set(name, value);
  }
  const body = await callOperator(flags, { method: 'GET', path: `/operator/audit?${query}` });
  print(flags, body, () => {
    const next = textAt(body, 'next');
    const more = next === '' ? '' : `\nThere may be more: --before ${next}`;
    return `${formatTable(COLUMNS, listAt(body, 'entries'))}${more}`;
  });
}
