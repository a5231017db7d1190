/** `payferry api-log list|show` */
import type { Command } from 'commander';
import { at, type Json, objectAt, textAt } from './json.ts';
import { type PageFlags, printListing, withPages } from './listing.ts';
import { callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields } from './table.ts';

interface ListFlags extends PageFlags {
  readonly from?: string;
  readonly to?: string;
}

export function register(command: Command): void {
  withPages(
    readingCommand(command, 'list <account>', 'list the calls of an account, newest first')
      .option('--from <day>', 'from this day on, in UTC, for example 2026-11-15')
      .option('--to <day>', 'up to this day, with it'),
  ).action(list);
  readingCommand(
    command,
    'show <id>',
    'show a call with its answer, by the X-Request-Id of the answer: files and signatures are left out',
  ).action(show);
}

const LISTED: readonly Column<Json>[] = [
  { title: 'When', cell: (row) => textAt(row, 'created_at') },
  { title: 'Call', cell: (row) => textAt(row, 'id') },
  { title: 'Status', cell: (row) => textAt(row, 'response_status'), isNumber: true },
  { title: 'Method', cell: (row) => textAt(row, 'request_method') },
  { title: 'Address', cell: (row) => textAt(row, 'request_url') },
];

function list(account: string, flags: ListFlags): Promise<void> {
  const { from: created_at_from, to: created_at_to, after, limit } = flags;
  return printListing(flags, {
    path: pathTo`/operator/accounts/${account}/api-logs`,
    query: { created_at_from, created_at_to, after, limit },
    rows: 'api_logs',
    columns: LISTED,
    none: 'There is no such call.',
  });
}

async function show(id: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/api-logs/${id}` });
  print(flags, body, () => {
    const log = at(body, 'api_log');
    return [
      formatFields([
        ['id', textAt(log, 'id')],
        ['account', textAt(log, 'account_id')],
        ['created_at', textAt(log, 'created_at')],
        ['request', `${textAt(log, 'request_method')} ${textAt(log, 'request_url')}`],
        ...headersOf(log, 'request_headers'),
        ['body', textAt(log, 'request_body')],
      ]),
      formatFields([
        ['status', textAt(log, 'response_status')],
        ...headersOf(log, 'response_headers'),
        ['body', textAt(log, 'response_body')],
      ]),
    ].join('\n\n');
  });
}

function headersOf(log: Json, side: string): [string, string][] {
  return Object.entries(objectAt(log, side)).map(([name, value]) => [name, String(value)]);
}
