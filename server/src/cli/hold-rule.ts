/** `payferry hold rule add|list|remove` */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { at, type Json, textAt } from './json.ts';
import { printListing } from './listing.ts';
import {
  actingCommand,
  callOperator,
  type OperatorFlags,
  pathTo,
  print,
  readCount,
  readingCommand,
} from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

interface RuleFlags {
  readonly account: string;
  readonly corridor?: string;
  readonly over?: readonly [amount: string, currency: string];
  readonly perDay?: number;
  readonly first?: boolean;
  readonly country?: readonly string[];
  readonly side?: string;
}

/** What stands for every account, and for every corridor. */
const ALL = 'all';

export function registerRules(command: Command): void {
  actingCommand(command, 'add', 'hold transactions that match; one criterion for each rule')
    .requiredOption('--account <account>', `whose transactions; the word ${ALL} for every account`)
    .option('--corridor <type>', 'only payouts of this type, for example NGN::Bank')
    .addOption(new Option('--over <amount>', 'more than, for example "1000 USD"').argParser(readAmount))
    .addOption(new Option('--per-day <number>', 'more than so many of a sender in 24 hours').argParser(readCount))
    .option('--first', 'as long as no transaction of the sender was paid')
    .addOption(new Option('--country <a,b>', 'two-letter codes').argParser((text: string) => text.split(',')))
    .addOption(new Option('--side <side>', 'whose country').choices(['sender', 'recipient', 'either']))
    .action(add);
  readingCommand(command, 'list', 'list the rules in the order in which they were added')
    .option('--account <account>', 'only those that hold for this account')
    .action(list);
  actingCommand(command, 'remove <rule>', 'take a rule away; what it has held stays held').action(remove);
}

function readAmount(text: string): readonly [string, string] {
  const [amount = '', currency = '', ...rest] = text.trim().split(/\s+/);
  if (currency === '' || rest.length > 0) throw new InvalidArgumentError('It is not like "1000 USD".');
  return [amount, currency];
}

/** The criteria that were given; the service says what is wrong with none or with several. */
async function criterionOf(flags: RuleFlags): Promise<Readonly<Record<string, unknown>>> {
  const { over, perDay, first, country, side } = flags;
  const given = [
    ...(over === undefined ? [] : [{ kind: 'amount', amount: over[0], currency: over[1] }]),
    ...(perDay === undefined ? [] : [{ kind: 'count', transactions: perDay }]),
    ...(first === true ? [{ kind: 'first' }] : []),
    ...(country === undefined ? [] : [{ kind: 'country', countries: country }]),
  ];
  const [criterion] = given;
  if (criterion !== undefined && given.length === 1) return { ...criterion, side };
  const { CliFailure } = await import('./failure.ts');
  throw new CliFailure('a rule has one criterion: --over, --per-day, --first or --country');
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Rule', cell: (rule) => textAt(rule, 'id') },
  { title: 'Account', cell: (rule) => textAt(rule, 'account_id') || ALL },
  { title: 'Corridor', cell: (rule) => textAt(rule, 'payout_type') || ALL },
  { title: 'Holds', cell: (rule) => textAt(rule, 'says') },
  { title: 'Added', cell: (rule) => textAt(rule, 'created_at') },
  { title: 'By', cell: (rule) => textAt(rule, 'created_by') },
];

async function add(flags: OperatorFlags & RuleFlags): Promise<void> {
  const body = {
    account_id: flags.account === ALL ? null : flags.account,
    payout_type: flags.corridor ?? null,
    ...(await criterionOf(flags)),
  };
  const answer = await callOperator(flags, { method: 'POST', path: '/operator/hold-rules', body });
  print(flags, answer, () => formatTable(COLUMNS, [at(answer, 'rule')]));
}

function list(flags: OperatorFlags & { readonly account?: string }): Promise<void> {
  return printListing(flags, {
    path: '/operator/hold-rules',
    query: { account_id: flags.account },
    rows: 'rules',
    columns: COLUMNS,
    none: 'No rule holds anything.',
  });
}

async function remove(rule: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, {
    method: 'DELETE',
    path: pathTo`/operator/hold-rules/${rule}`,
  });
  print(flags, body, () => `${rule} is removed; what it has held stays held`);
}
