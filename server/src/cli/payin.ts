/** `payferry payin list|suspense|show|prompts|accept|return|refund|resolve|reconcile` */
import type { Command } from 'commander';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { type PageFlags, printListing, withPages } from './listing.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { placeNow } from './payin-place.ts';
import { registerReconcile } from './payin-reconcile.ts';
import { type Column, formatFields } from './table.ts';

interface ListFlags extends PageFlags {
  readonly account?: string;
  readonly transaction?: string;
  readonly provider?: string;
}

type DecisionFlags = OperatorFlags & { readonly reason: string; readonly evidence?: string };

export function register(command: Command): void {
  listingCommand(command, 'list <account>', 'list what payers paid into the collections of an account')
    .option('--transaction <transaction>', 'only into this collection')
    .action((account: string, flags: ListFlags) =>
      list(pathTo`/operator/accounts/${account}/payins`, flags, 'Nothing was paid in.'),
    );
  listingCommand(command, 'suspense', 'list the payments that wait for a decision, the oldest first')
    .option('--account <account>', 'only of this account')
    .action((flags: ListFlags) => list('/operator/payins/suspense', flags, 'Nothing is in suspense.'));
  readingCommand(command, 'show <payin>', 'show a payment, and who its payer is').action(show);
  readingCommand(command, 'prompts <transaction>', 'show what the payer of a collection was asked for').action(prompts);
  withReason(actingCommand(command, 'accept <payin>', 'move a payment from suspense into the balance')).action(
    (payin: string, flags: DecisionFlags) => decide('accept', payin, flags),
  );
  withEvidence(
    actingCommand(command, 'return <payin>', 'record that a payment in suspense went back to its payer'),
  ).action((payin: string, flags: DecisionFlags) => decide('return', payin, flags));
  withEvidence(
    actingCommand(command, 'refund <transaction>', 'record that collected money went back, out of the balance'),
  ).action(refund);
  withReason(
    actingCommand(
      command,
      'resolve <transaction>',
      'end a collection that broke: canceled, or paid with what is here; or one that its provider does not confirm',
    ),
  )
    .option('--paid <reference>', 'not confirmed: the money came, and this is the reference of the provider for it')
    .option('--unpaid', 'not confirmed: no money came')
    .option('--evidence <text>', 'not confirmed: what shows that')
    .action(resolve);
  registerReconcile(command);
}

function listingCommand(parent: Command, usage: string, description: string): Command {
  const command = readingCommand(parent, usage, description);
  return withPages(command.option('--provider <name>', 'only what this provider reported'));
}

function withReason(command: Command): Command {
  return command.requiredOption('--reason <text>', 'why, for the audit log');
}

/** The program sends no money back: somebody has done it and can show it. */
function withEvidence(command: Command): Command {
  return withReason(command).requiredOption('--evidence <text>', 'what shows that the payer has the money again');
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Payin', cell: (payin) => textAt(payin, 'id') },
  { title: 'Received', cell: (payin) => textAt(payin, 'received_at') },
  { title: 'Provider', cell: (payin) => textAt(payin, 'provider') },
  { title: 'Reference', cell: (payin) => textAt(payin, 'reference') },
  { title: 'Amount', cell: (payin) => `${textAt(payin, 'amount')} ${textAt(payin, 'currency')}`, isNumber: true },
  { title: 'Place', cell: (payin) => placeNow(payin, textAt(payin, 'transaction_state')) },
  { title: 'Reason', cell: (payin) => textAt(payin, 'reason') },
  { title: 'Transaction', cell: (payin) => textAt(payin, 'transaction_id') },
  { title: 'State', cell: (payin) => textAt(payin, 'transaction_state') },
  { title: 'Account', cell: (payin) => textAt(payin, 'account_name') },
];

function list(path: string, flags: ListFlags, none: string): Promise<void> {
  const { account: account_id, transaction: transaction_id, provider, after, limit } = flags;
  const query = { account_id, transaction_id, provider, after, limit };
  return printListing(flags, { path, query, rows: 'payins', columns: COLUMNS, none });
}

async function show(payin: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/payins/${payin}` });
  const shown = at(body, 'payin');
  print(flags, body, () => {
    const place = placeNow(shown, textAt(shown, 'transaction_state'));
    return formatFields(fieldsWithPayer({ ...objectAt(shown), place }));
  });
}

async function prompts(transaction: string, flags: OperatorFlags): Promise<void> {
  const path = pathTo`/operator/collections/${transaction}/prompts`;
  const body = await callOperator(flags, { method: 'GET', path });
  print(flags, body, () => {
    const shown = listAt(at(body, 'collection'), 'prompts');
    if (shown.length === 0) return 'Nobody was asked to pay yet.';
    return shown.map((prompt) => formatFields(fieldsWithPayer(prompt))).join('\n\n');
  });
}

function fieldsWithPayer(shown: Json): [string, string][] {
  const names = Object.keys(objectAt(shown)).filter((name) => name !== 'payer');
  return [
    ...names.map((name): [string, string] => [name, textAt(shown, name)]),
    ['payer type', textAt(shown, 'payer', 'type')],
    ['payer', textAt(shown, 'payer', 'details')],
  ];
}

async function decide(what: 'accept' | 'return', payin: string, flags: DecisionFlags): Promise<void> {
  const { reason, evidence } = flags;
  const path = pathTo`/operator/payins/${payin}/${what}`;
  const body = await callOperator(flags, { method: 'POST', path, body: { reason, evidence } });
  print(flags, body, () => {
    const decided = at(body, 'payin');
    const where = what === 'accept' ? 'is in the balance' : 'is recorded as returned to the payer';
    return `${textAt(decided, 'amount')} ${textAt(decided, 'currency')} ${where}`;
  });
}

async function refund(transaction: string, flags: DecisionFlags): Promise<void> {
  const { reason, evidence } = flags;
  const path = pathTo`/operator/collections/${transaction}/refund`;
  const body = await callOperator(flags, { method: 'POST', path, body: { reason, evidence } });
  print(flags, body, () => {
    const refunded = at(body, 'collection');
    const paid = `${textAt(refunded, 'amount')} ${textAt(refunded, 'currency')}`;
    return `${paid} left the balance and are recorded as returned to the payer; the payin is ${textAt(refunded, 'payin_state')}`;
  });
}

type ResolveFlags = DecisionFlags & { readonly paid?: string; readonly unpaid?: true };

async function resolve(transaction: string, flags: ResolveFlags): Promise<void> {
  const path = pathTo`/operator/collections/${transaction}/resolve`;
  const { reason, evidence, paid: reference } = flags;
  const outcome = flags.unpaid === true ? 'unpaid' : reference === undefined ? undefined : 'paid';
  const said = { reason, evidence, reference, outcome };
  const body = await callOperator(flags, { method: 'POST', path, body: said });
  print(flags, body, () => `resolved; the payin is ${textAt(at(body, 'collection'), 'payin_state')}`);
}
