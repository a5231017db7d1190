/** `payferry review list|show|approve|reject|ban|lift` */
import { type Command, Option } from 'commander';
import { ageOf } from './age.ts';
import { at, type Json, listAt, objectAt, rawTextAt, textAt } from './json.ts';
import { type PageFlags, printListing, withPages } from './listing.ts';
import type { OperatorCall } from './operator-client.ts';
import { actingCommand, callOperator, type OperatorFlags, pathTo, print, readingCommand } from './operator-command.ts';
import { type Column, formatFields, tableIfAny } from './table.ts';

interface ListFlags extends PageFlags {
  readonly reason?: string;
  readonly account?: string;
}

type DecisionFlags = OperatorFlags & { readonly reason: string; readonly asOf?: string };

const DECISIONS = {
  approve: 'the sender may transact; entries of lists that it matched are somebody else',
  reject: 'the sender is not accepted',
  ban: 'shut the sender out, also one that was approved',
  lift: 'take a ban or a rejection back: all checks run again',
} as const;

export function register(command: Command): void {
  withPages(
    readingCommand(command, 'list', 'list the senders that wait for a decision, the oldest first')
      .addOption(new Option('--reason <reason>', 'only these').choices(['identity', 'match']))
      .option('--account <account>', 'only of this account'),
  ).action(list);
  readingCommand(command, 'show <sender>', 'show a sender with its documents, matches, checks and reviews').action(
    show,
  );
  for (const [name, description] of Object.entries(DECISIONS)) {
    const decision = actingCommand(command, `${name} <sender>`, description)
      .requiredOption('--reason <text>', 'why, for the audit log; the caller never sees it')
      .action((sender: string, flags: DecisionFlags) => decide(name, sender, flags));
    if (name !== 'approve') continue;
    decision.option('--as-of <text>', 'the as_of that `review show` has shown: refused where it was edited since');
  }
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Waits', cell: ageOf, isNumber: true },
  { title: 'Reason', cell: (item) => textAt(item, 'reason') },
  { title: 'Sender', cell: (item) => textAt(item, 'sender_id') },
  { title: 'Name', cell: (item) => textAt(item, 'name') },
  { title: 'Country', cell: (item) => textAt(item, 'country') },
  { title: 'State', cell: (item) => textAt(item, 'state') },
  { title: 'Account', cell: (item) => textAt(item, 'account_name') },
  { title: 'Documents', cell: (item) => textAt(item, 'documents'), isNumber: true },
  { title: 'Hits', cell: (item) => textAt(item, 'hits'), isNumber: true },
  { title: 'Score', cell: (item) => textAt(item, 'best_score'), isNumber: true },
  { title: 'Approved by', cell: (item) => textAt(item, 'first_approval_by') },
];

const HITS: readonly Column<Json>[] = [
  { title: 'Score', cell: (hit) => textAt(hit, 'score'), isNumber: true },
  { title: 'List', cell: (hit) => textAt(hit, 'list') },
  { title: 'Entry', cell: (hit) => textAt(hit, 'entry_id') },
  { title: 'Name', cell: (hit) => textAt(hit, 'name') },
  { title: 'Matched', cell: (hit) => textAt(hit, 'matched_name') },
  { title: 'Cleared before', cell: (hit) => (at(hit, 'was_cleared') === true ? 'yes' : '') },
  { title: 'Before an edit', cell: (hit) => (at(hit, 'before_edit') === true ? 'yes' : '') },
  { title: 'Because', cell: (hit) => listAt(hit, 'explanation').join('; ') },
];

const CHECKS: readonly Column<Json>[] = [
  { title: 'Checked', cell: (check) => textAt(check, 'at') },
  { title: 'After', cell: (check) => textAt(check, 'reason') },
  { title: 'Names then', cell: namesIn },
  { title: 'Lists', cell: (check) => textAt(check, 'list_version') },
  { title: 'Hits', cell: (check) => String(listAt(check, 'hits').length), isNumber: true },
  { title: 'From', cell: (check) => textAt(check, 'from_state') },
  { title: 'To', cell: (check) => textAt(check, 'to_state') },
];

const PAST: readonly Column<Json>[] = [
  { title: 'Reviewed', cell: (review) => textAt(review, 'closed_at') },
  { title: 'Outcome', cell: (review) => textAt(review, 'outcome') },
  { title: 'First approved by', cell: (review) => textAt(review, 'first_approval', 'by') },
  { title: 'By', cell: (review) => textAt(review, 'closed_by') },
  { title: 'Reason', cell: (review) => textAt(review, 'closed_reason') },
];

const DECIDED: readonly Column<Json>[] = [
  { title: 'Decided', cell: (decision) => textAt(decision, 'at') },
  { title: 'Decision', cell: (decision) => textAt(decision, 'decision') },
  { title: 'By', cell: (decision) => textAt(decision, 'by') },
  { title: 'From', cell: (decision) => textAt(decision, 'from_state') },
  { title: 'To', cell: (decision) => textAt(decision, 'to_state') },
  { title: 'Reason', cell: (decision) => textAt(decision, 'reason') },
];

const DOCUMENTS: readonly Column<Json>[] = [
  { title: 'Document', cell: (document) => textAt(document, 'upload_file_name') },
  { title: 'Kind', cell: (document) => textAt(document, 'document_type') },
  { title: 'Address', cell: (document) => textAt(document, 'url') },
];

function list(flags: ListFlags): Promise<void> {
  const { reason, account: account_id, after, limit } = flags;
  return printListing(flags, {
    path: '/operator/reviews',
    query: { reason, account_id, after, limit },
    rows: 'items',
    columns: COLUMNS,
    none: 'No sender waits for a decision.',
  });
}

async function show(sender: string, flags: OperatorFlags): Promise<void> {
  const body = await callAboutSender(flags, { method: 'GET', path: pathTo`/operator/senders/${sender}` });
  print(flags, body, () => {
    const shown = at(body, 'sender');
    const fields = Object.entries(objectAt(shown)).filter(([name]) => name !== 'documents');
    return [
      formatFields([
        ...fields.map(([name, value]): [string, string] => [name, cellOf(value)]),
        ['as_of', textAt(body, 'as_of')],
      ]),
      told(body),
      ...tableIfAny(DOCUMENTS, listAt(shown, 'documents')),
      ...tableIfAny(HITS, listAt(body, 'review', 'hits')),
      ...tableIfAny(CHECKS, listAt(body, 'checks')),
      ...tableIfAny(PAST, listAt(body, 'past_reviews')),
      ...tableIfAny(DECIDED, listAt(body, 'decisions')),
    ].join('\n\n');
  });
}

/** Everybody whom a check was about, by every name. */
function namesIn(check: Json): string {
  const names = listAt(check, 'subjects').flatMap((subject) => listAt(subject, 'names'));
  return names.map(cellOf).join('; ');
}

/** Lists of objects, such as the people whom a business names, as they are. */
function cellOf(value: Json): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textAt({ value }, 'value');
}

async function decide(what: string, sender: string, flags: DecisionFlags): Promise<void> {
  const path = pathTo`/operator/senders/${sender}/${what}`;
  const body = await callAboutSender(flags, {
    method: 'POST',
    path,
    body: { reason: flags.reason, as_of: flags.asOf },
  });
  print(flags, body, () => told(body));
}

/** The addresses of its documents are shown as they are reached from here. */
async function callAboutSender(flags: OperatorFlags, call: OperatorCall): Promise<Json> {
  const body = await callOperator(flags, call);
  const { asReached } = await import('./operator-client.ts');
  const documents = listAt(body, 'sender', 'documents').map(async (document) => {
    return { ...objectAt(document), url: await asReached(flags, rawTextAt(document, 'url')) };
  });
  return { ...objectAt(body), sender: { ...objectAt(body, 'sender'), documents: await Promise.all(documents) } };
}

/** What is true right after it; checks run in the background. */
function told(body: Json): string {
  const state = `${textAt(at(body, 'sender'), 'id')} is ${textAt(at(body, 'sender'), 'state')}`;
  const review = at(body, 'review');
  const first = review === null ? null : at(review, 'first_approval');
  return [
    state,
    ...(textAt(body, 'check_due') === '' ? [] : ['its checks are due']),
    ...(review === null ? [] : [`in review since ${textAt(review, 'opened_at')} (${textAt(review, 'reason')})`]),
    ...(first === null || at(first, 'is_valid') !== true
      ? []
      : [`approved by ${textAt(first, 'by')}; another operator has to approve it too`]),
  ].join('; ');
}
