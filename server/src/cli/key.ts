/** `payferry key create|list|revoke` */
import type { Command } from 'commander';
import { at, type Json, listAt, textAt } from './json.ts';
import { actingCommand, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields, formatTable } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'create <account>', 'make an API key; its secret is shown once')
    .option('--label <text>', 'where it is used')
    .action(create);
  readingCommand(command, 'list <account>', 'list the API keys of an account, newest first').action(list);
  actingCommand(command, 'revoke <key>', 'refuse calls with this key from now on').action(revoke);
}

async function create(account: string, flags: OperatorFlags & { label?: string }): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/accounts/${encodeURIComponent(account)}/keys`;
  const body = await callOperator(flags, { method: 'POST', path, body: { label: flags.label } });
  const secret = at(body, 'secret');
  print(flags, body, () =>
    formatFields([
      ['API key', textAt(body, 'key', 'key')],
      ['API secret', secret === null ? '(shown when it was made)' : textAt(body, 'secret')],
    ]),
  );
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'API key', cell: (key) => textAt(key, 'key') },
  { title: 'Label', cell: (key) => textAt(key, 'label') },
  { title: 'Created', cell: (key) => textAt(key, 'created_at') },
  { title: 'Revoked', cell: (key) => textAt(key, 'revoked_at') },
];

async function list(account: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/accounts/${encodeURIComponent(account)}/keys`;
  const body = await callOperator(flags, { method: 'GET', path });
  print(flags, body, () => formatTable(COLUMNS, listAt(body, 'keys')));
}

async function revoke(key: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const body = await callOperator(flags, { method: 'DELETE', path: `/operator/keys/${encodeURIComponent(key)}` });
  print(flags, body, () => `${textAt(body, 'key', 'key')} is revoked`);
}
