/** `payferry recipient show|retry|mark-paid|mark-failed|settle-part|cancel|attach` */
import type { Command } from 'commander';
import { at, type Json, listAt, objectAt, textAt } from './json.ts';
import {
  actingCommand,
  callOperator,
  type OperatorFlags,
  pathTo,
  print,
  readCount,
  readingCommand,
} from './operator-command.ts';
import { registerAttach } from './recipient-attach.ts';
import { type Column, formatFields, formatTable, tableIfAny } from './table.ts';
import { waitOf } from './waits-for.ts';

type MarkFlags = OperatorFlags & { readonly evidence: string; readonly code?: string; readonly attempt?: number };

export function register(command: Command): void {
  readingCommand(command, 'show <recipient>', 'show a recipient with all attempts to pay it').action(show);
  actingCommand(command, 'retry <recipient>', 'make the next attempt now; for recipients in error or manual').action(
    (recipient: string, flags: OperatorFlags) => order('retry', recipient, undefined, flags),
  );
  const paid = actingCommand(
    command,
    'mark-paid <recipient>',
    'the recipient has all of the money: say how that is known',
  );
  withAttempt(withEvidence(paid)).action((recipient: string, flags: MarkFlags) =>
    order('mark-paid', recipient, { evidence: flags.evidence, attempt: flags.attempt }, flags),
  );
  const failed = actingCommand(command, 'mark-failed <recipient>', 'nothing was paid: say how that is known');
  withAttempt(withEvidence(failed))
    .option('--code <code>', 'the code of the failure; 3, a temporary error, unless given')
    .action((recipient: string, flags: MarkFlags) =>
      order('mark-failed', recipient, { evidence: flags.evidence, code: flags.code, attempt: flags.attempt }, flags),
    );
  const part = actingCommand(
    command,
    'settle-part <recipient>',
    'only a part was paid, and no more will be: the rest is refunded; say how that is known',
  );
  withEvidence(part).action((recipient: string, flags: MarkFlags) =>
    order('settle-part', recipient, { evidence: flags.evidence }, flags),
  );
  actingCommand(
    command,
    'cancel <recipient>',
    'cancel and refund; what a provider has is refunded only once it is known to have failed',
  ).action((recipient: string, flags: OperatorFlags) => order('cancel', recipient, undefined, flags));
  registerAttach(command);
}

function withEvidence(command: Command): Command {
  return command.requiredOption('--evidence <text>', 'what it is based on, for the audit log');
}

function withAttempt(command: Command): Command {
  const about = 'which attempt the evidence is about, by its number; needed where there were several';
  return command.option('--attempt <number>', about, readCount);
}

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Attempt', cell: (attempt) => textAt(attempt, 'number'), isNumber: true },
  { title: 'Provider', cell: (attempt) => textAt(attempt, 'provider') },
  { title: 'Reference', cell: (attempt) => textAt(attempt, 'reference') },
  { title: 'Started', cell: (attempt) => textAt(attempt, 'started_at') },
  { title: 'Heard', cell: (attempt) => textAt(attempt, 'heard_at') },
  { title: 'Outcome', cell: (attempt) => textAt(attempt, 'outcome') || 'not known' },
  { title: 'Code', cell: (attempt) => textAt(attempt, 'code') },
  { title: 'Paid', cell: (attempt) => textAt(attempt, 'paid_amount'), isNumber: true },
  { title: 'By', cell: (attempt) => textAt(attempt, 'decided_by') },
  { title: 'Evidence', cell: (attempt) => textAt(attempt, 'evidence') },
];

const CONTRADICTIONS: readonly Column<Json>[] = [
  { title: 'Contradiction of attempt', cell: (row) => textAt(row, 'known', 'attempt'), isNumber: true },
  { title: 'Was known', cell: (row) => wordIn(at(row, 'known')) },
  { title: 'Since', cell: (row) => textAt(row, 'known', 'at') },
  { title: 'Then heard', cell: (row) => wordIn(at(row, 'heard')) },
  { title: 'At', cell: (row) => textAt(row, 'heard', 'at') },
];

/** `failed with code 543, by provider`. */
function wordIn(word: Json): string {
  const [paid, code] = [textAt(word, 'paid_amount'), textAt(word, 'code')];
  const what = textAt(word, 'outcome') === 'paid' ? `paid ${paid}` : `failed with code ${code}`;
  return `${what}, by ${textAt(word, 'by')}`;
}

async function show(recipient: string, flags: OperatorFlags): Promise<void> {
  const body = await callOperator(flags, { method: 'GET', path: pathTo`/operator/recipients/${recipient}` });
  print(flags, body, () => {
    const shown = at(body, 'recipient');
    const fields = formatFields(
      Object.keys(objectAt(shown)).map((name): [string, string] => [
        name,
        name === 'waits_for' ? waitOf(shown) : textAt(shown, name),
      ]),
    );
    const attempts = listAt(body, 'attempts');
    return [
      fields,
      attempts.length === 0 ? 'No attempt was made.' : formatTable(COLUMNS, attempts),
      ...tableIfAny(CONTRADICTIONS, listAt(body, 'contradictions')),
    ].join('\n\n');
  });
}

async function order(
  what: string,
  recipient: string,
  said: Readonly<Record<string, unknown>> | undefined,
  flags: OperatorFlags,
): Promise<void> {
  const path = pathTo`/operator/recipients/${recipient}/${what}`;
  const body = await callOperator(flags, { method: 'POST', path, ...(said && { body: said }) });
  print(flags, body, () => told(at(body, 'recipient')));
}

/** What is true right after it; the next attempt is made in the background. */
function told(recipient: Json): string {
  const state = textAt(recipient, 'state');
  const next = textAt(recipient, 'next_attempt_at');
  const isKept = textAt(recipient, 'cancel_requested_at') !== '' && !['canceled', 'refunded'].includes(state);
  return [
    `${textAt(recipient, 'id')} is ${state}, its transaction ${textAt(recipient, 'transaction_state')}`,
    ...(isKept ? ['the cancellation is kept in mind until its provider says what became of it'] : []),
    ...(next === '' ? [] : [`next step at ${next}`]),
  ].join('; ');
}
