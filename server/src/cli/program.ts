/**
 * The commands. Each is one module with `register(command)`, and only the one that was asked for is loaded: `--help`
 * and a mistyped name cost no more than the parser.
 */
import { Command } from 'commander';
import { programVersion } from '../kernel/program-files.ts';

interface CommandModule {
  /** Adds arguments, flags, subcommands and actions. */
  register(command: Command): void;
}

interface CommandRow {
  readonly name: string;
  readonly description: string;
  load(): Promise<CommandModule>;
}

/** In the order of the help. A new command is a new row. */
const COMMANDS: readonly CommandRow[] = [
  { name: 'serve', description: 'run the service', load: () => import('./serve.ts') },
  { name: 'migrate', description: 'bring the schema of the database up to date', load: () => import('./migrate.ts') },
  { name: 'settings', description: 'show each setting and where it came from', load: () => import('./settings.ts') },
  { name: 'request', description: 'sign a call to the API and send it', load: () => import('./request.ts') },
  { name: 'clock', description: 'show and move the clock of the sandbox', load: () => import('./clock.ts') },
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
  {
    name: 'transaction',
    description: 'show a transaction, list those of an account',
    load: () => import('./transaction.ts'),
  },
  {
    name: 'recipient',
    description: 'show, retry, mark and cancel recipients, attach proofs of payment',
    load: () => import('./recipient.ts'),
  },
  {
    name: 'payin',
    description: 'list payments of payers, decide about suspense, record refunds, compare with reports',
    load: () => import('./payin.ts'),
  },
  {
    name: 'hold',
    description: 'show, release and cancel transactions under review; keep the rules for it',
    load: () => import('./hold.ts'),
  },
  {
    name: 'review',
    description: 'list and show senders in review, approve, reject, ban and lift',
    load: () => import('./review.ts'),
  },
  { name: 'provider', description: 'list, pause and resume payout providers', load: () => import('./provider.ts') },
  {
    name: 'account',
    description: 'create, list, show, set, check and admit accounts',
    load: () => import('./account.ts'),
  },
  { name: 'key', description: 'create, list, replace and revoke API keys', load: () => import('./key.ts') },
  {
    name: 'api-log',
    description: "list an account's calls, show one with its answer",
    load: () => import('./api-log.ts'),
  },
  {
    name: 'webhook',
    description: 'list webhooks and deliveries, send again, test',
    load: () => import('./webhook.ts'),
  },
  {
    name: 'listen',
    description: 'print events as they happen and forward them (sandbox)',
    load: () => import('./listen.ts'),
  },
  { name: 'balance', description: 'open, credit, debit and show balances', load: () => import('./balance.ts') },
  { name: 'rate', description: 'set and list exchange rates', load: () => import('./rate.ts') },
  {
    name: 'corridor',
    description: 'list, show, check and switch payout and payin types',
    load: () => import('./corridor.ts'),
  },
  { name: 'operator', description: 'create, list, revoke and recover operators', load: () => import('./operator.ts') },
  { name: 'ledger', description: 'verify the books', load: () => import('./ledger.ts') },
  { name: 'audit', description: 'list what operators did', load: () => import('./audit.ts') },
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
    if (row.name === wanted) (await row.load()).register(command);
  }
  return program;
}
