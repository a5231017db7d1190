/** `payferry key create|list|replace|revoke|reseal` */
import type { Command } from 'commander';
import { at, type Json, listAt, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields } from './table.ts';

export function register(command: Command): void {
  actingCommand(command, 'create <account>', 'make an API key; its secret is shown once')
    .option('--label <text>', 'where it is used')
    .action(create);
  readingCommand(command, 'list <account>', 'list the API keys of an account, newest first').action(list);
  actingCommand(command, 'replace <key>', 'make a key that takes its place; both work for the overlap')
    .option('--overlap <duration>', 'how long the old one still works, for example 7d (the default) or 24h')
    .action(replace);
  actingCommand(command, 'revoke <key>', 'refuse calls with this key from now on').action(revoke);
  actingCommand(command, 'reseal', 'store all secrets under the present master key, when it was replaced').action(
    reseal,
  );
}

async function create(account: string, flags: OperatorFlags & { label?: string }): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/keys`;
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
  { title: 'Good until', cell: (key) => textAt(key, 'valid_until') },
  { title: 'Replaced by', cell: (key) => textAt(key, 'successor') },
];

function list(account: string, flags: OperatorFlags): Promise<void> {
  return printListing(flags, { path: pathTo`/operator/accounts/${account}/keys`, rows: 'keys', columns: COLUMNS });
}

async function replace(key: string, flags: OperatorFlags & { overlap?: string }): Promise<void> {
  const path = pathTo`/operator/keys/${key}/replacement`;
  const body = await callOperator(flags, { method: 'POST', path, body: { overlap: flags.overlap } });
  const secret = at(body, 'secret');
  print(flags, body, () =>
    formatFields([
      ['API key', textAt(body, 'key', 'key')],
      ['API secret', secret === null ? '(shown when it was made)' : textAt(body, 'secret')],
      ['Replaces', textAt(body, 'replaced', 'key')],
      ['Which works until', textAt(body, 'replaced', 'valid_until')],
    ]),
  );
}

async function revoke(key: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'DELETE', path: pathTo`/operator/keys/${key}` });
  print(flags, body, () => `${textAt(body, 'key', 'key')} is revoked`);
}

async function reseal(flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'POST', path: '/operator/keys/reseal' });
  const unopened = listAt(body, 'resealed', 'unopened').map((key) => textAt(key));
  print(flags, body, () =>
    [
      `secrets stored under the present master key: ${textAt(body, 'resealed', 'count')}`,
      ...unopened.map((key) => `the secret of ${key} opens under no master key at hand: replace the key`),
    ].join('\n'),
  );
}
