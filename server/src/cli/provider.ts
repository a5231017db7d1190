/** `payferry provider list|pause|resume` */
import type { Command } from 'commander';
import { at, type Json, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import type { Column } from './table.ts';

export function register(command: Command): void {
  readingCommand(command, 'list', 'list providers and whether they are given orders').action(list);
  actingCommand(command, 'pause <name>', 'give it no new orders; those it has are asked about all the same').action(
    (name: string, flags: OperatorFlags) => change('pause', name, flags),
  );
  actingCommand(command, 'resume <name>', 'give it orders again, whatever had kept it out').action(
    (name: string, flags: OperatorFlags) => change('resume', name, flags),
  );
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Provider', cell: (provider) => textAt(provider, 'name') },
  { title: 'Held', cell: (provider) => (at(provider, 'held') === true ? 'yes' : 'no') },
  { title: 'By', cell: (provider) => textAt(provider, 'changed_by') },
  { title: 'Changed', cell: (provider) => textAt(provider, 'changed_at') },
  { title: 'State here', cell: (provider) => textAt(provider, 'state') },
  { title: 'Since', cell: (provider) => textAt(provider, 'since') },
];

function list(flags: OperatorFlags): Promise<void> {
  const none = 'There are no payout providers: nothing is paid out.';
  return printListing(flags, { path: '/operator/providers', rows: 'providers', columns: COLUMNS, none });
}

async function change(what: 'pause' | 'resume', name: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/providers/${name}/${what}`;
  const body = await callOperator(flags, { method: 'POST', path });
  const isHeld = at(body, 'provider', 'held') === true;
  print(flags, body, () =>
    isHeld ? `${name} is given no new orders; every process does so within seconds` : `${name} is given orders again`,
  );
}
