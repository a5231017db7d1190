/** `payferry account check|admit` */
import type { Command } from 'commander';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

export function registerChecks(command: Command): void {
  readingCommand(command, 'check <account>', 'show whether its recorded use is fit for production').action(check);
  actingCommand(command, 'admit <account>', 'record the check as passed: in live mode its keys work from then on')
    .option('--reason <text>', 'needed where some point is not met: why it is admitted all the same')
    .action(admit);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Point', cell: (line) => textAt(line, 'means') },
  { title: 'Met', cell: (line) => (at(line, 'met') === true ? 'met' : 'not met') },
  { title: 'Evidence', cell: evidenceOf },
  { title: 'Last', cell: (line) => textAt(line, 'last_at') },
];

function evidenceOf(line: Json): string {
  return Object.entries(objectAt(line, 'evidence'))
    .map(([name, count]) => `${name.replaceAll('_', ' ')}: ${count}`)
    .join(', ');
}

async function check(account: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/check`;
  const body = await callOperator(flags, { method: 'GET', path });
  print(flags, body, () => {
    const shown = at(body, 'check');
    return `${formatTable(COLUMNS, listAt(shown, 'points'))}\n\n${admissionOf(shown)}`;
  });
}

async function admit(account: string, flags: OperatorFlags & { readonly reason?: string }): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/admission`;
  const said = flags.reason === undefined ? {} : { reason: flags.reason };
  const body = await callOperator(flags, { method: 'POST', path, body: said });
  print(flags, body, () => admissionOf(at(body, 'check')));
}

function admissionOf(check: Json): string {
  if (at(check, 'admitted') !== true) return 'Not admitted: in live mode its keys do not work.';
  const reason = textAt(check, 'admission_reason');
  return [
    `Admitted at ${textAt(check, 'admitted_at')} by ${textAt(check, 'admitted_by')}`,
    at(check, 'admitted_as_met') === true ? 'every point was met' : 'not every point was met',
    ...(reason === '' ? [] : [reason]),
  ].join('; ');
}
