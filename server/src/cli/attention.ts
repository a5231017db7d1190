/** `payferry attention` */
import { type Command, Option } from 'commander';
import { ageOf } from './age.ts';
import { type Json, listAt, textAt } from './json.ts';
import { addReadingFlags, type OperatorFlags, print } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

interface AttentionFlags {
  readonly state?: string;
  readonly account?: string;
  readonly after?: string;
  readonly limit?: string;
}

export function register(command: Command): void {
  const states = ['manual', 'stuck', 'exception', 'mispaid', 'processing', 'pending', 'put_off', 'suspense'];
  addReadingFlags(command)
    .addOption(new Option('--state <state>', 'only these').choices(states))
    .option('--account <account>', 'only of this account')
    .option('--after <cursor>', 'begin behind this one: the `next` of the page before')
    .option('--limit <number>', 'at most so many, up to 500')
    .action(list);
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

async function list(flags: OperatorFlags & AttentionFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const query = new URLSearchParams();
  if (flags.state !== undefined) query.set('state', flags.state);
  if (flags.account !== undefined) query.set('account_id', flags.account);
  if (flags.after !== undefined) query.set('after', flags.after);
  if (flags.limit !== undefined) query.set('limit', flags.limit);
  const body = await callOperator(flags, { method: 'GET', path: `/operator/attention?${query}` });
  print(flags, body, () => {
    const items = listAt(body, 'items');
    if (items.length === 0) return 'Nothing needs people.';
    const next = textAt(body, 'next');
    const more = next === '' ? '' : `\nThere may be more: --after ${next}`;
    return `${formatTable(COLUMNS, items)}${more}`;
  });
}
