/**
 * Compares a provider's report with the books. Only reads. What the report has is looked for whenever it was posted;
 * what was posted is looked for in the report only within the time that the report covers. Open point OP-212.
 */
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import type { Database } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import { readByReference, readReceivedWithin } from './list-store.ts';
import { type Finding, matchReport } from './match-report.ts';
import { MAX_REPORT_LINES, type ReportedPayment, readReport, readTime } from './report.ts';

interface ReportInput {
  readonly provider: string;
  /** The time that the report covers; undefined: from its first payment to its last. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly payments: readonly unknown[];
  /** Whether the service has it now. One that it had before is known by what it told us. */
  readonly isSetUp: boolean;
}

export interface Reconciliation {
  readonly provider: string;
  readonly from: Date;
  readonly to: Date;
  readonly findings: readonly Finding[];
}

const ANY_TIME = { from: new Date(0), to: new Date('9999-12-31T23:59:59Z') };

/** Refuses with report_invalid, report_too_large, provider_not_found. */
export async function reconcile(db: Database, input: ReportInput): Promise<Outcome<Reconciliation>> {
  const read = readReport(input.payments);
  if (!read.ok) return refusedAction('report_invalid', ...read.mistakes);
  const { payments } = read;
  const covered = coveredBy(input, payments);
  if (!covered) return refusedAction('report_invalid', 'from and to: are not times such as 2026-11-16T09:00:00Z');
  if (covered.from > covered.to) return refusedAction('report_invalid', 'from: is after to, the end of the time');
  const { provider } = input;
  if (!input.isSetUp && !(await hasReceived(db, provider))) return refusedAction('provider_not_found');
  const references = [...new Set(payments.map(({ reference }) => reference))];
  const [named, within] = await db.inTx(async (tx) => [
    await readByReference(tx, { provider, references }),
    await readReceivedWithin(tx, { provider, ...covered, limit: MAX_REPORT_LINES + 1 }),
  ]);
  if (within.length > MAX_REPORT_LINES) return refusedAction('report_too_large');
  const posted = distinctBy([...named, ...within], (receipt) => receipt.receiptId);
  return done({ provider, ...covered, findings: matchReport(payments, posted) });
}

async function hasReceived(db: Database, provider: string): Promise<boolean> {
  const received = await db.inTx((tx) => readReceivedWithin(tx, { provider, ...ANY_TIME, limit: 1 }));
  return received.length > 0;
}

function coveredBy(
  { from, to }: ReportInput,
  payments: readonly ReportedPayment[],
): { readonly from: Date; readonly to: Date } | undefined {
  const times = payments.map(({ at }) => at).sort((one, other) => one.getTime() - other.getTime());
  const first = from === undefined ? present(times[0], 'a report has payments') : readTime(from);
  const last = to === undefined ? present(times.at(-1), 'a report has payments') : readTime(to);
  return first && last && { from: first, to: last };
}
