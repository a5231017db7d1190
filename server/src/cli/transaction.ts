/** `payferry transaction show|list` */
import type { Command } from 'commander';
import { HOLDS } from './hold.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { type PageFlags, printListing, withPages } from './listing.ts';
import { callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { placeNow } from './payin-place.ts';
import { type Column, formatFields, formatTable, tableIfAny } from './table.ts';
import { waitOf } from './waits-for.ts';

interface ListFlags extends PageFlags {
  readonly account: string;
  readonly externalId?: string;
  readonly sender?: string;
}

export function register(command: Command): void {
  readingCommand(command, 'show <transaction>', 'show a transaction, and what each of its recipients waits for').action(
    show,
  );
  withPages(
    readingCommand(command, 'list', 'list the transactions of an account, newest first')
      .requiredOption('--account <account>', 'whose')
      .option('--external-id <text>', "only the one with this id of the caller's own")
      .option('--sender <sender>', 'only those of this sender'),
  ).action(list);
}

const amountOf = (row: Json, side: 'input' | 'output') =>
  `${textAt(row, `${side}_amount`)} ${textAt(row, `${side}_currency`)}`;

const RECIPIENTS: readonly Column<Json>[] = [
  { title: 'Recipient', cell: (row) => textAt(row, 'id') },
  { title: 'State', cell: (row) => textAt(row, 'state') },
  { title: 'Waits for', cell: (row) => textAt(row, 'waits_for', 'what') },
  { title: 'Amount', cell: (row) => `${amountOf(row, 'input')} = ${amountOf(row, 'output')}`, isNumber: true },
  { title: 'Type', cell: (row) => textAt(row, 'payout_type') },
  { title: 'Provider', cell: (row) => textAt(row, 'provider') },
  { title: 'Attempts', cell: (row) => textAt(row, 'attempts'), isNumber: true },
  { title: 'Next', cell: (row) => textAt(row, 'next_attempt_at') },
  { title: 'Code', cell: (row) => textAt(row, 'code') },
  { title: 'Reason', cell: (row) => textAt(row, 'reason') },
];

const PAYIN_METHODS: readonly Column<Json>[] = [
  { title: 'Payin method', cell: (row) => textAt(row, 'id') },
  { title: 'State', cell: (row) => textAt(row, 'state') },
  { title: 'Type', cell: (row) => textAt(row, 'type') },
  { title: 'Flow', cell: (row) => textAt(row, 'ux_flow') },
  { title: 'Provider', cell: (row) => textAt(row, 'provider') },
  { title: 'Prompts', cell: (row) => textAt(row, 'attempts'), isNumber: true },
  { title: 'Next', cell: (row) => textAt(row, 'next_attempt_at') },
  { title: 'Code', cell: (row) => textAt(row, 'code') },
  { title: 'Reason', cell: (row) => textAt(row, 'reason') },
];

/** Where each payment is now, and who decided that. */
const paidInto = (transactionState: string): readonly Column<Json>[] => [
  { title: 'Payin', cell: (row) => textAt(row, 'id') },
  { title: 'Received', cell: (row) => textAt(row, 'received_at') },
  { title: 'Amount', cell: (row) => `${textAt(row, 'amount')} ${textAt(row, 'currency')}`, isNumber: true },
  { title: 'Place', cell: (row) => placeNow(row, transactionState) },
  { title: 'By', cell: (row) => textAt(row, 'resolved_by') },
  { title: 'Reference', cell: (row) => textAt(row, 'reference') },
];

const ENDINGS: readonly Column<Json>[] = [
  { title: 'Ended', cell: (row) => textAt(row, 'recipient_id') },
  { title: 'As', cell: (row) => textAt(row, 'state') },
  { title: 'At', cell: (row) => textAt(row, 'at') || 'not known' },
  { title: 'By', cell: (row) => textAt(row, 'by') },
  { title: 'Why', cell: (row) => textAt(row, 'says') },
];

const REFUNDS: readonly Column<Json>[] = [
  { title: 'Came back', cell: (row) => `${textAt(row, 'amount')} ${textAt(row, 'currency')}`, isNumber: true },
  { title: 'To', cell: (row) => textAt(row, 'to') },
  { title: 'Entries', cell: (row) => textAt(row, 'entries'), isNumber: true },
  { title: 'Last', cell: (row) => textAt(row, 'last_at') },
];

const ATTENTION: readonly Column<Json>[] = [
  { title: 'Needs people', cell: (row) => textAt(row, 'state') },
  { title: 'Since', cell: (row) => textAt(row, 'since') },
  { title: 'Recipient or payin', cell: (row) => textAt(row, 'recipient_id') || textAt(row, 'payin_id') },
  { title: 'Reason', cell: (row) => textAt(row, 'reason') },
];

const LISTED: readonly Column<Json>[] = [
  { title: 'Transaction', cell: (row) => textAt(row, 'id') },
  { title: 'External id', cell: (row) => textAt(row, 'external_id') },
  { title: 'State', cell: (row) => textAt(row, 'state') },
  { title: 'Amount', cell: (row) => amountOf(row, 'input'), isNumber: true },
  { title: 'Recipients', cell: (row) => textAt(row, 'recipients'), isNumber: true },
  { title: 'Created', cell: (row) => textAt(row, 'created_at') },
  { title: 'Funded', cell: (row) => textAt(row, 'funded_at') },
];

async function show(transaction: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/transactions/${transaction}`;
  const body = await callOperator(flags, { method: 'GET', path });
  print(flags, body, () => {
    const recipients = listAt(body, 'recipients');
    const waits = recipients.flatMap((row) => (waitOf(row) === '' ? [] : [`${textAt(row, 'id')} ${waitOf(row)}`]));
    return [
      formatFields(factsOf(at(body, 'transaction'))),
      formatTable(RECIPIENTS, recipients),
      ...(waits.length === 0 ? [] : [waits.join('\n')]),
      ...tableIfAny(PAYIN_METHODS, listAt(body, 'payin_methods')),
      ...tableIfAny(paidInto(textAt(body, 'transaction', 'state')), listAt(body, 'payins')),
      ...tableIfAny(HOLDS, listAt(body, 'holds')),
      ...tableIfAny(ENDINGS, listAt(body, 'endings')),
      ...tableIfAny(REFUNDS, listAt(body, 'refunds')),
      ...tableIfAny(ATTENTION, listAt(body, 'attention')),
    ].join('\n\n');
  });
}

function factsOf(shown: Json): [string, string][] {
  const since = textAt(shown, 'state_since');
  const currency = textAt(shown, 'input_currency');
  const field = (name: string): [string, string] => [name, textAt(shown, name)];
  return [
    field('id'),
    ['account', `${textAt(shown, 'account_id')} (${textAt(shown, 'account_name')})`],
    field('external_id'),
    ['state', since === '' ? textAt(shown, 'state') : `${textAt(shown, 'state')} since ${since}`],
    field('reason'),
    ['kind', at(shown, 'collection') === true ? 'collection' : 'payout'],
    ['sender', `${textAt(shown, 'sender_id')} (${textAt(shown, 'sender_state')})`],
    field('sender_external_id'),
    field('sender_reason'),
    ['amount', `${textAt(shown, 'input_amount')} ${currency}`],
    ['paid in', `${textAt(shown, 'paid_amount')} ${currency}`],
    field('created_at'),
    field('expires_at'),
    field('funded_at'),
    field('auto_refund_at'),
    field('ended_at'),
    ['needs people', at(shown, 'needs_attention') === true ? 'yes' : 'no'],
  ];
}

function list(flags: ListFlags): Promise<void> {
  const { externalId: external_id, sender: sender_id, after, limit } = flags;
  return printListing(flags, {
    path: pathTo`/operator/accounts/${flags.account}/transactions`,
    query: { external_id, sender_id, after, limit },
    rows: 'transactions',
    columns: LISTED,
    none: 'There is no such transaction.',
  });
}
