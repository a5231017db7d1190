/** `payferry attention` */
import { type Command, Option } from 'commander';
import { ageOf } from './age.ts';
import { type Json, textAt } from './json.ts';
import { type PageFlags, printListing, withPages } from './listing.ts';
import { addReadingFlags } from './operator-command.ts';
import type { Column } from './table.ts';

interface AttentionFlags extends PageFlags {
  readonly state?: string;
  readonly account?: string;
}

export function register(command: Command): void {
  const states = ['manual', 'stuck', 'exception', 'mispaid', 'processing', 'pending', 'put_off', 'suspense'];
  withPages(
    addReadingFlags(command)
      .addOption(new Option('--state <state>', 'only these').choices(states))
      .option('--account <account>', 'only of this account'),
  ).action(list);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Waits', cell: ageOf, isNumber: true },
  { title: 'State', cell: (item) => textAt(item, 'state') },
  { title: 'Recipient or payin', cell: (item) => textAt(item, 'recipient_id') || textAt(item, 'payin_id') },
  { title: 'Transaction', cell: (item) => textAt(item, 'transaction_id') },
  { title: 'Account', cell: (item) => textAt(item, 'account_name') },
  { title: 'Amount', cell: amountOf, isNumber: true },
  { title: 'Type', cell: (item) => textAt(item, 'payout_type') },
  { title: 'Provider', cell: (item) => textAt(item, 'provider') },
  { title: 'Attempts', cell: (item) => textAt(item, 'attempts'), isNumber: true },
  { title: 'Code', cell: (item) => textAt(item, 'code') },
  { title: 'Reason', cell: (item) => textAt(item, 'reason') },
];

function amountOf(item: Json): string {
  const input = `${textAt(item, 'input_amount')} ${textAt(item, 'input_currency')}`;
  const output = textAt(item, 'output_amount');
  return output === '' ? input : `${input} = ${output} ${textAt(item, 'output_currency')}`;
}

function list(flags: AttentionFlags): Promise<void> {
  const { state, account: account_id, after, limit } = flags;
  return printListing(flags, {
    path: '/operator/attention',
    query: { state, account_id, after, limit },
    rows: 'items',
    columns: COLUMNS,
    none: 'Nothing needs people.',
  });
}
