/** `payferry audit list|show` */
import type { Command } from 'commander';
import { at, type Json, objectAt, textAt } from './json.ts';
import { printListing, withLimit } from './listing.ts';
import { callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields, formatTable } from './table.ts';

interface AuditFlags extends OperatorFlags {
  readonly operator?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly before?: string;
  readonly limit?: string;
}

export function register(command: Command): void {
  withLimit(
    readingCommand(command, 'list', 'list what operators did, newest first')
      .option('--operator <name>', 'only by this operator')
      .option('--action <action>', 'only this action, for example balance.credit')
      .option('--subject <subject>', 'only on this account, key, currency or operator')
      .option('--before <cursor>', 'begin behind this row: the `next` of the page before'),
  ).action(list);
  readingCommand(command, 'show <id>', 'show one line of it, with the object before and after').action(show);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'When', cell: (row) => textAt(row, 'at') },
  { title: 'Who', cell: (row) => textAt(row, 'operator') },
  { title: 'What', cell: (row) => textAt(row, 'action') },
  { title: 'On', cell: (row) => textAt(row, 'subject') },
  { title: 'Command', cell: (row) => textAt(row, 'id') },
  { title: 'Changed', cell: (row) => shorter(changesOf(row)) },
  { title: 'Reason', cell: (row) => reasonOf(row) },
];

/** Of one line in a list; `audit show` has the rest. */
const MAX_CHANGE_CHARS = 100;
/** They have a column of their own. */
const REASONS = ['reason', 'admission_reason'] as const;

function reasonOf(row: Json): string {
  return REASONS.map((name) => textAt(row, 'after', name)).find((text) => text !== '') ?? '';
}

/** The names of everything that the line tells of its object. */
function fieldsOf(row: Json): string[] {
  const names = ['before', 'after'].flatMap((side) => Object.keys(objectAt(row, side)));
  return [...new Set(names)].filter((name) => !REASONS.some((reason) => reason === name));
}

function changesOf(row: Json): string {
  if (at(row, 'after') === null) return 'removed';
  const isNew = at(row, 'before') === null;
  const changes = fieldsOf(row).flatMap((name) => {
    const [before, after] = [textAt(row, 'before', name), textAt(row, 'after', name)];
    if (before === after) return [];
    return isNew || before === '' ? [`${name} ${after}`] : [`${name} ${before} -> ${after === '' ? 'none' : after}`];
  });
  return changes.join('; ');
}

function shorter(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_CHANGE_CHARS ? text : `${characters.slice(0, MAX_CHANGE_CHARS - 1).join('')}…`;
}

function list(flags: AuditFlags): Promise<void> {
  const { operator, action, subject, before, limit } = flags;
  return printListing(flags, {
    path: '/operator/audit',
    query: { operator, action, subject, before, limit },
    rows: 'entries',
    columns: COLUMNS,
    nextBy: '--before',
  });
}

async function show(id: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/audit/${id}` });
  print(flags, body, () => {
    const row = at(body, 'entry');
    const columns: readonly Column<string>[] = [
      { title: 'Field', cell: (name) => name },
      { title: 'Before', cell: (name) => textAt(row, 'before', name) },
      { title: 'After', cell: (name) => textAt(row, 'after', name) },
    ];
    return [
      formatFields([
        ['id', textAt(row, 'id')],
        ['at', textAt(row, 'at')],
        ['operator', textAt(row, 'operator')],
        ['action', textAt(row, 'action')],
        ['subject', textAt(row, 'subject')],
        ['reason', reasonOf(row)],
      ]),
      formatTable(columns, fieldsOf(row)),
    ].join('\n\n');
  });
}
