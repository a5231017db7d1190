/** `payferry operator create|list|revoke|recover` */
import type { Command } from 'commander';
import { at, type Json, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { registerRecover } from './operator-recover.ts';
import { type Column, formatFields } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'create <name>', 'add an operator; the token is shown once').action(create);
  readingCommand(command, 'list', 'list operators, newest first').action(list);
  actingCommand(command, 'revoke <name>', 'refuse the token of this operator from now on').action(revoke);
  registerRecover(command);
}

async function create(name: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'POST', path: '/operator/operators', body: { name } });
  const token = at(body, 'token');
  print(flags, body, () =>
    formatFields([
      ['Operator', textAt(body, 'operator', 'name')],
      ['Token', token === null ? '(shown when it was made)' : textAt(body, 'token')],
    ]),
  );
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Operator', cell: (operator) => textAt(operator, 'name') },
  { title: 'Created', cell: (operator) => textAt(operator, 'created_at') },
  { title: 'Revoked', cell: (operator) => textAt(operator, 'revoked_at') },
];

function list(flags: OperatorFlags): Promise<void> {
  return printListing(flags, { path: '/operator/operators', rows: 'operators', columns: COLUMNS });
}

async function revoke(name: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/operators/${name}`;
  const body = await callOperator(flags, { method: 'DELETE', path });
  print(flags, body, () => `${textAt(body, 'operator', 'name')} is revoked`);
}
