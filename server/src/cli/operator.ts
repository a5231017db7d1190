/** `payferry operator create|list|revoke|recover` */
import type { Command } from 'commander';
import { at, type Json, listAt, textAt } from './json.ts';
import { actingCommand, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { registerRecover } from './operator-recover.ts';
import { type Column, formatFields, formatTable } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'create <name>', 'add an operator; the token is shown once').action(create);
  readingCommand(command, 'list', 'list operators, newest first').action(list);
  actingCommand(command, 'revoke <name>', 'refuse the token of this operator from now on').action(revoke);
  registerRecover(command);
}

async function create(name: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
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

async function list(flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const body = await callOperator(flags, { method: 'GET', path: '/operator/operators' });
  print(flags, body, () => formatTable(COLUMNS, listAt(body, 'operators')));
}

async function revoke(name: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/operators/${encodeURIComponent(name)}`;
  const body = await callOperator(flags, { method: 'DELETE', path });
  print(flags, body, () => `${textAt(body, 'operator', 'name')} is revoked`);
}
