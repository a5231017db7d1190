/** `payferry find` */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { addReadingFlags, callOperator, type OperatorFlags, print } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

export function register(command: Command): void {
  addReadingFlags(command)
    .argument('<text>', 'an id, the external id of a caller, or a reference at a provider')
    .addHelpText('after', '\nIt ends with 1 when the text names nothing.')
    .action(find);
}

const SHOWN_BY = new Map([
  ['account', 'account show'],
  ['transaction', 'transaction show'],
  ['recipient', 'recipient show'],
  ['sender', 'review show'],
  ['payin', 'payin show'],
  ['api_log', 'api-log show'],
]);

const COLUMNS: readonly Column<Json>[] = [
  { title: 'By', cell: (row) => textAt(row, 'by') },
  { title: 'Attempt', cell: (row) => textAt(row, 'attempt'), isNumber: true },
  { title: 'Account', cell: (row) => `${textAt(row, 'account_id')} (${textAt(row, 'account_name')})` },
  { title: 'Transaction', cell: (row) => textAt(row, 'transaction_id') },
  {
    title: 'Look at it with',
    cell: (row) => `payferry ${SHOWN_BY.get(textAt(row, 'what')) ?? ''} ${textAt(row, 'id')}`,
  },
];

async function find(text: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: '/operator/find', query: { text } });
  const found = listAt(body, 'found');
  const more = at(body, 'more') === true ? '\nThere are more.' : '';
  if (found.length > 0 || flags.json === true) print(flags, body, () => `${formatTable(COLUMNS, found)}${more}`);
  if (found.length > 0) return;
  const account = textAt(body, 'reference_of');
  const ofAccount = account === '' ? '' : ` It is a reference for account ${account}, of an attempt that is not here.`;
  throw new CliFailure(`nothing is found by this text.${ofAccount}`);
}
