/** `payferry hold show|release|cancel`, `payferry hold rule add|list|remove` */
import type { Command } from 'commander';
import { registerRules } from './hold-rule.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { placeNow } from './payin-place.ts';
import { type Column, formatFields, formatTable, tableIfAny } from './table.ts';

type DecisionFlags = OperatorFlags & { readonly reason: string; readonly asOf?: string };

export function register(command: Command): void {
  readingCommand(command, 'show <transaction>', 'show why a transaction is or was under review').action(show);
  actingCommand(command, 'release <transaction>', 'let it go on: its payouts start')
    .requiredOption('--reason <text>', 'what was found, for the audit log')
    .option('--as-of <text>', 'the as_of that `hold show` has shown: refused where a recipient was edited since')
    .action((transaction: string, flags: DecisionFlags) => decide('release', transaction, flags));
  actingCommand(
    command,
    'cancel <transaction>',
    'refund what is open; what a provider has is refunded only once it is known to have failed',
  )
    .requiredOption('--reason <text>', 'what was found, for the audit log')
    .action((transaction: string, flags: DecisionFlags) => decide('cancel', transaction, flags));
  registerRules(
    command.command('rule').description('add, list and remove the rules that put transactions under review'),
  );
}

export const HOLDS: readonly Column<Json>[] = [
  { title: 'Reason', cell: (hold) => textAt(hold, 'reason') },
  { title: 'Since', cell: (hold) => textAt(hold, 'held_at') },
  { title: 'Decision', cell: (hold) => textAt(hold, 'decision') || 'open' },
  { title: 'At', cell: (hold) => textAt(hold, 'decided_at') },
  { title: 'By', cell: (hold) => textAt(hold, 'decided_by') },
  { title: 'Because', cell: (hold) => textAt(hold, 'decision_reason') },
  { title: 'Rules', cell: rulesOf },
];

function rulesOf(hold: Json): string {
  return listAt(hold, 'rules')
    .map((rule) => textAt(rule, 'says'))
    .join('; ');
}

const RECIPIENTS: readonly Column<Json>[] = [
  { title: 'Recipient', cell: (recipient) => textAt(recipient, 'id') },
  { title: 'State', cell: (recipient) => textAt(recipient, 'state') },
  { title: 'Type', cell: (recipient) => textAt(recipient, 'payout_type') },
  {
    title: 'Amount',
    cell: (recipient) => `${textAt(recipient, 'output_amount')} ${textAt(recipient, 'output_currency')}`,
    isNumber: true,
  },
  { title: 'Details', cell: (recipient) => textAt(recipient, 'details') },
];

/** What was paid into a collection in this state, and by whom. */
const payinColumns = (state: string): readonly Column<Json>[] => [
  { title: 'Payin', cell: (payin) => textAt(payin, 'id') },
  { title: 'Received', cell: (payin) => textAt(payin, 'received_at') },
  { title: 'Amount', cell: (payin) => `${textAt(payin, 'amount')} ${textAt(payin, 'currency')}`, isNumber: true },
  { title: 'Place', cell: (payin) => placeNow(payin, state) },
  { title: 'Type', cell: (payin) => textAt(payin, 'payer', 'type') },
  { title: 'Payer', cell: (payin) => textAt(payin, 'payer', 'details') },
];

const FACTS = [
  'transaction_id',
  'account_id',
  'external_id',
  'state',
  'sender_id',
  'sender_state',
  'funded_at',
  'auto_refund_at',
  'as_of',
];

async function show(transaction: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/holds/${transaction}` });
  print(flags, body, () => {
    const held = at(body, 'hold');
    const amount = `${textAt(held, 'input_amount')} ${textAt(held, 'input_currency')}`;
    const facts = FACTS.map((name): [string, string] => [name, textAt(held, name)]);
    const holds = listAt(held, 'holds');
    return [
      formatFields([...facts, ['amount', amount]]),
      formatTable(RECIPIENTS, listAt(held, 'recipients')),
      ...tableIfAny(payinColumns(textAt(held, 'state')), listAt(held, 'payins')),
      holds.length === 0 ? 'Nothing has held it.' : formatTable(HOLDS, holds),
    ].join('\n\n');
  });
}

async function decide(what: string, transaction: string, flags: DecisionFlags): Promise<void> {
  const path = pathTo`/operator/holds/${transaction}/${what}`;
  const body = await callOperator(flags, { method: 'POST', path, body: { reason: flags.reason, as_of: flags.asOf } });
  print(flags, body, () => told(at(body, 'hold')));
}

function told(held: Json): string {
  const state = textAt(held, 'state');
  const open = listAt(held, 'holds').filter((hold) => textAt(hold, 'decision') === '');
  const isAwaited = state === 'processing' && open.length === 0;
  return [
    `${textAt(held, 'transaction_id')} is ${state}`,
    ...open.map((hold) => (textAt(hold, 'reason') === 'sender' ? 'its sender still holds it' : 'rules still hold it')),
    ...(isAwaited ? ['what a provider has is awaited'] : []),
  ].join('; ');
}
