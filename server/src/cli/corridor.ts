/** `payferry corridor list|show|check|disable|enable` */
import { type Command, Option } from 'commander';
import { amountsText, senderText, variantText } from './corridor-text.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { printListing } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields } from './table.ts';

interface CorridorFlags extends OperatorFlags {
  readonly payin?: boolean;
  readonly provider?: string;
}

export function register(command: Command): void {
  readingCommand(command, 'list', 'list the payout and payin types of the running service').action(list);
  payinFlag(readingCommand(command, 'show <type>', 'show one type with its fields and an example')).action(show);
  command
    .command('check <file>')
    .description('check a corridor file, such as mine/payout/aed-bank.json, without a running service')
    .addOption(new Option('--json', 'print JSON, for programs'))
    .action(check);
  for (const active of [false, true]) {
    const [name, does] = active ? ['enable', 'on again'] : ['disable', 'off while the service runs'];
    payinFlag(actingCommand(command, `${name} <type>`, `switch a type, or one of its providers, ${does}`))
      .option('--provider <name>', 'only this provider of the type')
      .action((type: string, flags: CorridorFlags) => change(type, active, flags));
  }
}

function payinFlag(command: Command): Command {
  return command.option('--payin', 'the payin type of that name; otherwise the payout type is meant');
}

function directionOf(flags: CorridorFlags): 'payout' | 'payin' {
  return flags.payin === true ? 'payin' : 'payout';
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Type', cell: (line) => textAt(line, 'type') },
  { title: 'Direction', cell: (line) => textAt(line, 'direction') },
  { title: 'State', cell: (line) => (textAt(line, 'active') === 'true' ? 'on' : `off by ${textAt(line, 'off_by')}`) },
  { title: 'Providers off', cell: (line) => listAt(line, 'providers_off').join(', ') },
  { title: 'Amounts', cell: amountsText },
  { title: 'File', cell: (line) => textAt(line, 'file') },
];

function list(flags: OperatorFlags): Promise<void> {
  return printListing(flags, { path: '/operator/corridors', rows: 'corridors', columns: COLUMNS });
}

async function show(type: string, flags: CorridorFlags): Promise<void> {
  const query = { direction: directionOf(flags) };
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/corridors/${type}`, query });
  print(flags, body, () => {
    const corridor = at(body, 'corridor');
    const names = ['type', 'direction', 'about', 'countries', 'file', 'source', 'facts_as_of', 'published'];
    const facts = formatFields([
      ...names.map((name) => [name, textAt(corridor, name)] as const),
      ...(amountsText(corridor) === '' ? [] : [['amounts', amountsText(corridor)] as const]),
    ]);
    return [facts, ...listAt(corridor, 'variants').map(variantText), ...senderText(corridor)].join('\n\n');
  });
}

async function change(type: string, active: boolean, flags: CorridorFlags): Promise<void> {
  const path = pathTo`/operator/corridors/${type}`;
  const direction = directionOf(flags);
  const body = await callOperator(flags, {
    method: 'PUT',
    path,
    body: { active, direction, ...(flags.provider === undefined ? {} : { provider: flags.provider }) },
  });
  const what = flags.provider === undefined ? `${type} (${direction})` : `${flags.provider} of ${type} (${direction})`;
  print(flags, body, () => `${what} is ${active ? 'on' : 'off'}; all processes follow within seconds`);
}

async function check(file: string, flags: { readonly json?: boolean }): Promise<void> {
  const [{ checkCorridorFile }, { CliFailure }] = await Promise.all([
    import('../corridors/check-file.ts'),
    import('./failure.ts'),
  ]);
  const { type, mistakes } = checkCorridorFile(file);
  if (flags.json === true) console.log(JSON.stringify({ file, type: type ?? null, mistakes }, null, 2));
  else if (mistakes.length === 0) console.log(`${file} is right: ${type}`);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(({ place, says }) => `  ${place === '' ? '' : `${place} `}${says}`);
  throw new CliFailure([`${file} has mistakes:`, ...lines].join('\n'));
}
