/**
 * The commands. Each is one module with `register(command)`, and only the one that was asked for is loaded. The help of
 * the program loads those with subcommands, so that what it lists is what there is.
 */
import { Command } from 'commander';
import { programVersion } from '../kernel/program-files.ts';

interface CommandModule {
  /** Adds arguments, flags, subcommands and actions. */
  register(command: Command): void;
}

interface CommandRow {
  readonly name: string;
  /** What it does; of a group what it is about, and the names of its subcommands follow. */
  readonly description: string;
  readonly isGroup?: true;
  load(): Promise<CommandModule>;
}

/** In the order of the help. A new command is a new row. */
const COMMANDS: readonly CommandRow[] = [
  { name: 'serve', description: 'run the service', load: () => import('./serve.ts') },
  { name: 'migrate', description: 'bring the schema of the database up to date', load: () => import('./migrate.ts') },
  { name: 'settings', description: 'show each setting and where it came from', load: () => import('./settings.ts') },
  { name: 'request', description: 'sign a call to the API and send it', load: () => import('./request.ts') },
  {
    name: 'clock',
    description: 'show the clock of the sandbox, or move it',
    isGroup: true,
    load: () => import('./clock.ts'),
  },
  {
    name: 'attention',
    description: 'list the payouts and payins that need people',
    load: () => import('./attention.ts'),
  },
  {
    name: 'find',
    description: 'find what an id, an external id or a reference of a provider names',
    load: () => import('./find.ts'),
  },
  { name: 'transaction', description: 'transactions', isGroup: true, load: () => import('./transaction.ts') },
  {
    name: 'recipient',
    description: 'recipients and proofs of payment',
    isGroup: true,
    load: () => import('./recipient.ts'),
  },
  {
    name: 'payin',
    description: 'payments of payers, those in suspense, and refunds of collections',
    isGroup: true,
    load: () => import('./payin.ts'),
  },
  {
    name: 'hold',
    description: 'transactions under review, and the rules for it',
    isGroup: true,
    load: () => import('./hold.ts'),
  },
  { name: 'review', description: 'senders in review', isGroup: true, load: () => import('./review.ts') },
  { name: 'provider', description: 'payout providers', isGroup: true, load: () => import('./provider.ts') },
  { name: 'account', description: 'accounts', isGroup: true, load: () => import('./account.ts') },
  { name: 'key', description: 'API keys', isGroup: true, load: () => import('./key.ts') },
  {
    name: 'api-log',
    description: "an account's calls with their answers",
    isGroup: true,
    load: () => import('./api-log.ts'),
  },
  { name: 'webhook', description: 'webhooks and deliveries', isGroup: true, load: () => import('./webhook.ts') },
  {
    name: 'listen',
    description: 'print events as they happen and forward them (sandbox)',
    load: () => import('./listen.ts'),
  },
  {
    name: 'balance',
    description: 'balances and settlements with providers',
    isGroup: true,
    load: () => import('./balance.ts'),
  },
  { name: 'rate', description: 'exchange rates', isGroup: true, load: () => import('./rate.ts') },
  { name: 'corridor', description: 'payout and payin types', isGroup: true, load: () => import('./corridor.ts') },
  { name: 'operator', description: 'operators', isGroup: true, load: () => import('./operator.ts') },
  { name: 'ledger', description: 'the books', isGroup: true, load: () => import('./ledger.ts') },
  { name: 'audit', description: 'what operators did', isGroup: true, load: () => import('./audit.ts') },
];

/** `args` is what stands after the name of the program. */
export async function buildProgram(args: readonly string[]): Promise<Command> {
  const program = new Command('payferry')
    .description('Moves money across borders: payouts and collections on one PostgreSQL.')
    .version(programVersion())
    .showHelpAfterError('Run it with --help to see what there is.');
  const operands = args.filter((arg) => !arg.startsWith('-'));
  const wanted = operands[0] === 'help' ? operands[1] : operands[0];
  for (const row of COMMANDS) {
    const command = program.command(row.name).description(row.description);
    if (row.name !== wanted && !(wanted === undefined && row.isGroup)) continue;
    (await row.load()).register(command);
    if (row.isGroup) command.description(`${row.description}: ${namesOf(command)}`);
  }
  return program;
}

function namesOf({ commands }: Command): string {
  return commands.map((subcommand) => subcommand.name()).join(', ');
}
