/** `payferry account create|list|show|set|usage|check|admit` */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { registerChecks } from './account-check.ts';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { type PageFlags, printListing, withLimit } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields, formatTable } from './table.ts';

interface TermFlags {
  readonly name?: string;
  readonly fullKyc?: boolean;
  readonly kyc?: string;
  readonly wtr2?: boolean;
  readonly negativeBalance?: boolean;
  readonly accountValidation?: boolean;
  readonly sameCurrency?: readonly string[];
  readonly corridors?: readonly string[] | 'all';
}

export function register(command: Command): void {
  addTermFlags(actingCommand(command, 'create', 'create an account with its first API key'))
    .requiredOption('--name <name>', 'what operators call it')
    .action(create);

  withLimit(
    readingCommand(command, 'list', 'list accounts in the order of their creation').option(
      '--after <account>',
      'begin behind this account: the `next` of the page before',
    ),
  ).action(list);

  readingCommand(command, 'show <account>', 'show an account and its balances').action(show);

  addTermFlags(actingCommand(command, 'set <account>', 'change the terms of an account'))
    .option('--name <name>', 'what operators call it')
    .action(set);

  readingCommand(command, 'usage <account>', 'show how many account checks were made for it, by day')
    .option('--from <day>', 'first day, as 2026-11-15; 30 days before the last one unless given')
    .option('--to <day>', 'last day; today unless given')
    .action(usage);

  registerChecks(command);
}

function addTermFlags(command: Command): Command {
  const onOff = (flag: string, description: string) =>
    new Option(`${flag} <true|false>`, description).argParser(readSwitch);
  return command
    .addOption(
      onOff(
        '--full-kyc',
        'it checks its senders itself, and they may come with a transaction; a new account: true in the sandbox, else false',
      ),
    )
    .addOption(
      new Option('--kyc <kind>', 'how we check its senders; a new account: waived in the sandbox, else review').choices(
        ['waived', 'review', 'documents'],
      ),
    )
    .addOption(onOff('--wtr2', 'fewer sender details suffice; only with full KYC'))
    .addOption(onOff('--negative-balance', 'its balances may go below zero'))
    .addOption(onOff('--account-validation', 'check recipient accounts when a transaction does not say'))
    .option('--same-currency <a,b>', 'currencies it may be paid out in without exchange; empty for none', readList)
    .option(
      '--corridors <a,b>',
      'payout and payin types it may use; the words all and none for every one and for none',
      readCorridors,
    );
}

function readSwitch(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It is neither true nor false.');
  return text === 'true';
}

function readList(text: string): readonly string[] {
  return text.split(',').filter((part) => part !== '');
}

function readCorridors(text: string): readonly string[] | 'all' {
  if (text === 'all') return text;
  if (text === 'none') return [];
  const types = readList(text);
  // Most likely a variable of the shell that was not set.
  if (types.length === 0) throw new InvalidArgumentError('It names no type; the word none closes the account to all.');
  return types;
}

/** JSON leaves out what is undefined, and what is left out stays as it is. */
function termsOf(flags: TermFlags) {
  return {
    name: flags.name,
    full_kyc: flags.fullKyc,
    kyc: flags.kyc,
    wtr2: flags.wtr2,
    negative_balance: flags.negativeBalance,
    account_validation: flags.accountValidation,
    same_currency: flags.sameCurrency,
    corridors: flags.corridors === 'all' ? null : flags.corridors,
  };
}

async function create(flags: OperatorFlags & TermFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'POST', path: '/operator/accounts', body: termsOf(flags) });
  const created = { ...objectAt(body, 'account'), key: at(body, 'key', 'key'), secret: at(body, 'secret') };
  print(flags, created, () =>
    formatFields([
      ['Account', textAt(created, 'id')],
      ['Name', textAt(created, 'name')],
      ['API key', textAt(created, 'key')],
      ['API secret', created.secret === null ? '(shown when it was created)' : textAt(created, 'secret')],
    ]),
  );
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Account', cell: (account) => textAt(account, 'id') },
  { title: 'Name', cell: (account) => textAt(account, 'name') },
  { title: 'Full KYC', cell: (account) => textAt(account, 'full_kyc') },
  { title: 'KYC', cell: (account) => textAt(account, 'kyc') },
  { title: 'WTR2', cell: (account) => textAt(account, 'wtr2') },
  { title: 'Below zero', cell: (account) => textAt(account, 'negative_balance') },
  { title: 'Created', cell: (account) => textAt(account, 'created_at') },
];

function list(flags: PageFlags): Promise<void> {
  const { after, limit } = flags;
  return printListing(flags, {
    path: '/operator/accounts',
    query: { after, limit },
    rows: 'accounts',
    columns: COLUMNS,
  });
}

async function show(account: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/accounts/${account}` });
  print(flags, body, () => {
    const balances = listAt(body, 'balances').map((row): [string, string] => [
      `Balance ${textAt(row, 'currency')}`,
      `${textAt(row, 'balance')}, held ${textAt(row, 'held')}`,
    ]);
    return formatFields([...fieldsOf(at(body, 'account')), ...balances]);
  });
}

async function set(account: string, flags: OperatorFlags & TermFlags): Promise<void> {
  const path = pathTo`/operator/accounts/${account}`;
  const body = await callOperator(flags, { method: 'PATCH', path, body: termsOf(flags) });
  print(flags, body, () => {
    const due = textAt(body, 'senders_to_check');
    const told =
      due === '' ? [] : [`${due} of its senders are checked now; what was not sent for them waits until then`];
    return [formatFields(fieldsOf(at(body, 'account'))), ...told].join('\n\n');
  });
}

function fieldsOf(account: Json): [string, string][] {
  return Object.keys(objectAt(account)).map((name) => [
    name,
    name === 'corridors' ? corridorsOf(account) : textAt(account, name),
  ]);
}

function corridorsOf(account: Json): string {
  if (at(account, 'corridors') === null) return 'all';
  return listAt(account, 'corridors').length === 0 ? 'none' : textAt(account, 'corridors');
}

const USAGE_COLUMNS: readonly Column<Json>[] = [
  { title: 'Day', cell: (row) => textAt(row, 'day') },
  { title: 'Check', cell: (row) => textAt(row, 'kind') },
  { title: 'Paid service', cell: (row) => (at(row, 'is_paid') === true ? 'yes' : 'no') },
  { title: 'Asked', cell: (row) => textAt(row, 'asked'), isNumber: true },
  { title: 'Found', cell: (row) => textAt(row, 'found'), isNumber: true },
  { title: 'Not found', cell: (row) => textAt(row, 'not_found'), isNumber: true },
  { title: 'No answer', cell: (row) => textAt(row, 'unavailable'), isNumber: true },
];

async function usage(account: string, flags: OperatorFlags & { from?: string; to?: string }): Promise<void> {
  const query = { from: flags.from, to: flags.to };
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/accounts/${account}/usage`, query });
  print(flags, body, () => {
    const total = `Paid checks from ${textAt(body, 'from')} to ${textAt(body, 'to')}: ${textAt(body, 'paid_checks')}`;
    return `${formatTable(USAGE_COLUMNS, listAt(body, 'account_checks'))}\n${total}`;
  });
}
