/** `payferry api-log list|show` */
import type { Command } from 'commander';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields, formatTable } from './table.ts';

interface ListFlags extends OperatorFlags {
  readonly from?: string;
  readonly to?: string;
  readonly after?: string;
  readonly limit?: string;
}

export function register(command: Command): void {
  readingCommand(command, 'list <account>', 'list the calls of an account, newest first')
    .option('--from <day>', 'from this day on, in UTC, for example 2026-11-15')
    .option('--to <day>', 'up to this day, with it')
    .option('--after <cursor>', 'begin behind this one: the `next` of the page before')
    .option('--limit <number>', 'at most so many, up to 500')
    .action(list);
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

async function list(account: string, flags: ListFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const query = new URLSearchParams();
  const wanted = { created_at_from: flags.from, created_at_to: flags.to, after: flags.after, limit: flags.limit };
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, value);
  const path = `/operator/accounts/${encodeURIComponent(account)}/api-logs?${query}`;
  const body = await callOperator(flags, { method: 'GET', path });
  print(flags, body, () => {
    const logs = listAt(body, 'api_logs');
    if (logs.length === 0) return 'There is no such call.';
    const next = textAt(body, 'next');
    const more = next === '' ? '' : `\nThere may be more: --after ${next}`;
    return `${formatTable(LISTED, logs)}${more}`;
  });
}

async function show(id: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const body = await callOperator(flags, { method: 'GET', path: `/operator/api-logs/${encodeURIComponent(id)}` });
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
