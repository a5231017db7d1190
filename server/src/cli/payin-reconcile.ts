/** `payferry payin reconcile PROVIDER FILE`: a provider's report against what was posted. */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { at, type Json, listAt, textAt } from './json.ts';
import { callOperator, type OperatorFlags, print, readingCommand } from './operator-command.ts';
import { type Column, formatTable } from './table.ts';

interface ReportFlags {
  readonly from?: string;
  readonly to?: string;
  readonly all?: boolean;
}

export function registerReconcile(command: Command): void {
  readingCommand(command, 'reconcile <provider> <file>', 'compare a report of a provider, CSV or JSON, with the books')
    .option('--from <time>', 'the report covers what came from then on; its first payment unless given')
    .option('--to <time>', 'the report covers what came until then; its last payment unless given')
    .option('--all', 'list also what agrees')
    .action(reconcile);
}

const WORDS: Readonly<Record<string, string>> = {
  matched: 'matched',
  amount_differs: 'amount differs',
  not_posted: 'reported, not posted',
  not_reported: 'posted, not reported',
};

const COLUMNS: readonly Column<Json>[] = [
  { title: 'Finding', cell: (row) => WORDS[textAt(row, 'kind')] ?? textAt(row, 'kind') },
  { title: 'Reference', cell: (row) => textAt(row, 'reference') },
  { title: 'Reported', cell: (row) => amountOf(at(row, 'reported')), isNumber: true },
  { title: 'Posted', cell: (row) => amountOf(at(row, 'posted')), isNumber: true },
  { title: 'Time', cell: (row) => textAt(at(row, 'reported'), 'time') || textAt(at(row, 'posted'), 'received_at') },
  { title: 'Payin', cell: (row) => textAt(at(row, 'posted'), 'id') },
  { title: 'Transaction', cell: (row) => textAt(at(row, 'posted'), 'transaction_id') },
];

function amountOf(side: Json): string {
  return textAt(side, 'amount') === '' ? '' : `${textAt(side, 'amount')} ${textAt(side, 'currency')}`;
}

async function reconcile(provider: string, path: string, flags: OperatorFlags & ReportFlags): Promise<void> {
  const { readReportFile } = await import('./payin-report-file.ts');
  const { from, to } = flags;
  const sent = { provider, from, to, payments: await readReportFile(path) };
  const body = await callOperator(flags, { method: 'POST', path: '/operator/payins/reconcile', body: sent });
  print(flags, body, () => {
    const counts = Object.entries(WORDS).map(([kind, words]) => `${textAt(at(body, 'counts'), kind)} ${words}`);
    const rows = listAt(body, 'findings').filter((row) => flags.all === true || textAt(row, 'kind') !== 'matched');
    const covered = `${provider}, ${textAt(body, 'from')} to ${textAt(body, 'to')}: ${counts.join('; ')}`;
    return rows.length === 0 ? covered : `${covered}\n\n${formatTable(COLUMNS, rows)}`;
  });
  const differences = listAt(body, 'findings').filter((row) => at(row, 'kind') !== 'matched').length;
  if (differences > 0) throw new CliFailure(`the report and the books differ (differences: ${differences})`);
}
