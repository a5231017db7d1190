/** `payferry payin list|suspense|show|prompts|accept|return|refund|resolve|reconcile` */
import type { Command } from 'commander';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import { actingCommand, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { placeNow } from './payin-place.ts';
import { registerReconcile } from './payin-reconcile.ts';
import { type Column, formatFields, formatTable } from './table.ts';

interface ListFlags {
  readonly account?: string;
  readonly transaction?: string;
  readonly provider?: string;
  readonly after?: string;
  readonly limit?: string;
}

type DecisionFlags = OperatorFlags & { readonly reason: string; readonly evidence?: string };

export function register(command: Command): void {
  withPages(readingCommand(command, 'list <account>', 'list what payers paid into the collections of an account'))
    .option('--transaction <transaction>', 'only into this collection')
    .action((account: string, flags: OperatorFlags & ListFlags) =>
      list(`/operator/accounts/${encodeURIComponent(account)}/payins`, flags, 'Nothing was paid in.'),
    );
  withPages(readingCommand(command, 'suspense', 'list the payments that wait for a decision, the oldest first'))
    .option('--account <account>', 'only of this account')
    .action((flags: OperatorFlags & ListFlags) => list('/operator/payins/suspense', flags, 'Nothing is in suspense.'));
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

function withPages(command: Command): Command {
  return command
    .option('--provider <name>', 'only what this provider reported')
    .option('--after <cursor>', 'begin behind this one: the `next` of the page before')
    .option('--limit <number>', 'at most so many, up to 500');
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

async function list(path: string, flags: OperatorFlags & ListFlags, none: string): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const query = new URLSearchParams();
  if (flags.account !== undefined) query.set('account_id', flags.account);
  if (flags.transaction !== undefined) query.set('transaction_id', flags.transaction);
  if (flags.provider !== undefined) query.set('provider', flags.provider);
  if (flags.after !== undefined) query.set('after', flags.after);
  if (flags.limit !== undefined) query.set('limit', flags.limit);
  const body = await callOperator(flags, { method: 'GET', path: `${path}?${query}` });
  print(flags, body, () => {
    const payins = listAt(body, 'payins');
    if (payins.length === 0) return none;
    const next = textAt(body, 'next');
    const more = next === '' ? '' : `\nThere may be more: --after ${next}`;
    return `${formatTable(COLUMNS, payins)}${more}`;
  });
}

async function show(payin: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const body = await callOperator(flags, { method: 'GET', path: `/operator/payins/${encodeURIComponent(payin)}` });
  const shown = at(body, 'payin');
  print(flags, body, () => {
    const place = placeNow(shown, textAt(shown, 'transaction_state'));
    return formatFields(fieldsWithPayer({ ...objectAt(shown), place }));
  });
}

async function prompts(transaction: string, flags: OperatorFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/collections/${encodeURIComponent(transaction)}/prompts`;
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
  const { callOperator } = await import('./operator-client.ts');
  const { reason, evidence } = flags;
  const path = `/operator/payins/${encodeURIComponent(payin)}/${what}`;
  const body = await callOperator(flags, { method: 'POST', path, body: { reason, evidence } });
  print(flags, body, () => {
    const decided = at(body, 'payin');
    const where = what === 'accept' ? 'is in the balance' : 'is recorded as returned to the payer';
    return `${textAt(decided, 'amount')} ${textAt(decided, 'currency')} ${where}`;
  });
}

async function refund(transaction: string, flags: DecisionFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const { reason, evidence } = flags;
  const path = `/operator/collections/${encodeURIComponent(transaction)}/refund`;
  const body = await callOperator(flags, { method: 'POST', path, body: { reason, evidence } });
  print(flags, body, () => {
    const refunded = at(body, 'collection');
    const paid = `${textAt(refunded, 'amount')} ${textAt(refunded, 'currency')}`;
    return `${paid} left the balance and are recorded as returned to the payer; the payin is ${textAt(refunded, 'payin_state')}`;
  });
}

type ResolveFlags = DecisionFlags & { readonly paid?: string; readonly unpaid?: true };

async function resolve(transaction: string, flags: ResolveFlags): Promise<void> {
  const { callOperator } = await import('./operator-client.ts');
  const path = `/operator/collections/${encodeURIComponent(transaction)}/resolve`;
  const { reason, evidence, paid: reference } = flags;
  const outcome = flags.unpaid === true ? 'unpaid' : reference === undefined ? undefined : 'paid';
  const said = { reason, evidence, reference, outcome };
  const body = await callOperator(flags, { method: 'POST', path, body: said });
  print(flags, body, () => `resolved; the payin is ${textAt(at(body, 'collection'), 'payin_state')}`);
}
