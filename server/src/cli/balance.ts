/** `payferry balance open|credit|debit|settle|settle-payins|show` */
import type { Command } from 'commander';
import { type Json, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import type { Column } from './table.ts';

type MoveFlags = OperatorFlags & { readonly reference?: string };
type SettleFlags = OperatorFlags & { readonly reference: string };

interface Amount {
  readonly account: string;
  readonly currency: string;
  readonly amount: string;
}

const REFERENCE = 'of the payment: under one reference it is posted once; needed in live mode';

export function register(command: Command): void {
  actingCommand(
    command,
    'open <account> <currency>',
    'open a balance through a partner (USD::Partner), or in a currency to be paid out in without exchange (USD)',
  ).action(open);
  actingCommand(command, 'credit <account> <currency> <amount>', 'post money that the account brought in')
    .option('--reference <text>', REFERENCE)
    .action((account: string, currency: string, amount: string, flags: MoveFlags) =>
      move('credits', { account, currency, amount }, flags),
    );
  actingCommand(command, 'debit <account> <currency> <amount>', 'post money that the account took out')
    .option('--reference <text>', REFERENCE)
    .action((account: string, currency: string, amount: string, flags: MoveFlags) =>
      move('debits', { account, currency, amount }, flags),
    );
  actingCommand(
    command,
    'settle <account> <currency> <amount>',
    'post that what was delivered to recipients is settled with the provider',
  )
    .requiredOption('--reference <text>', 'of the payment to the provider: under one reference it is posted once')
    .action((account: string, currency: string, amount: string, flags: SettleFlags) =>
      settle('settlements', { account, currency, amount }, flags),
    );
  actingCommand(
    command,
    'settle-payins <account> <currency> <amount>',
    'post that a provider has handed over what payers paid',
  )
    .requiredOption('--reference <text>', 'of the payment of the provider: under one reference it is posted once')
    .action((account: string, currency: string, amount: string, flags: SettleFlags) =>
      settle('payin-settlements', { account, currency, amount }, flags),
    );
  readingCommand(command, 'show <account>', 'show what an account owns and what is held, by currency').action(show);
}

async function open(account: string, currency: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/balances`;
  const body = await callOperator(flags, { method: 'POST', path, body: { currency } });
  print(flags, body, () => `opened ${currency}`);
}

async function move(
  what: 'credits' | 'debits',
  { account, currency, amount }: Amount,
  flags: MoveFlags,
): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/${what}`;
  const { reference } = flags;
  const body = await callOperator(flags, { method: 'POST', path, body: { currency, amount, reference } });
  const verb = what === 'credits' ? 'credited' : 'debited';
  print(flags, body, () => {
    const [posted, is] = postedIn(body);
    return `${posted}${verb} ${textAt(body, 'amount')} ${currency}; the balance ${is} ${textAt(body, 'balance')} ${currency}`;
  });
}

async function settle(
  what: 'settlements' | 'payin-settlements',
  { account, currency, amount }: Amount,
  flags: SettleFlags,
): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/${what}`;
  const { reference } = flags;
  const body = await callOperator(flags, { method: 'POST', path, body: { currency, amount, reference } });
  print(flags, body, () => {
    const [posted, , are] = postedIn(body);
    const left = `${textAt(body, 'unsettled')} ${currency} ${are} left to be settled`;
    return `${posted}settled ${textAt(body, 'amount')} ${currency}; ${left}`;
  });
}

/** What was posted before is told as past. */
function postedIn(body: Json): readonly [posted: string, is: string, are: string] {
  const at = textAt(body, 'already_posted_at');
  return at === '' ? ['', 'is', 'are'] : [`nothing was posted now; at ${at} it was `, 'was then', 'were then'];
}

const ACCOUNTS = ['balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense'];

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Currency', cell: (row) => textAt(row, 'currency') },
  ...ACCOUNTS.map((name) => ({ title: name, cell: (row: Json) => textAt(row, name), isNumber: true })),
];

function show(account: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}/balances`;
  return printListing(flags, { path, rows: 'balances', columns: COLUMNS });
}
