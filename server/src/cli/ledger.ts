/** `payferry ledger verify` */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { callOperator, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

/** All books are read. */
const VERIFY_TIMEOUT_MS = 4 * 60 * 60_000;

export function register(command: Command): void {
  readingCommand(
    command,
    'verify',
    'recompute every balance from its postings and every held amount from the transactions in flight',
  ).action(verify);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Difference', cell: (row) => textAt(row, 'kind') },
  { title: 'Account', cell: (row) => textAt(row, 'account_id') },
  { title: 'Where', cell: (row) => textAt(row, 'where') },
  { title: 'Expected', cell: (row) => textAt(row, 'expected'), isNumber: true },
  { title: 'Found', cell: (row) => textAt(row, 'found'), isNumber: true },
];

async function verify(flags: OperatorFlags): Promise<void> {
  const call = { method: 'GET', path: '/operator/ledger/verification', timeoutMs: VERIFY_TIMEOUT_MS } as const;
  const body = await callOperator(flags, call);
  const differences = listAt(body, 'differences');
  const isClean = at(body, 'clean') === true;
  print(flags, body, () =>
    isClean
      ? `The books are right. Accounts checked: ${textAt(body, 'accounts_checked')}.`
      : formatTable(COLUMNS, differences),
  );
  if (isClean) return;
  const count = at(body, 'complete') === true ? String(differences.length) : `more than ${differences.length - 1}`;
  throw new CliFailure(`the books are not right: ${count} differences, in minor units`);
}
