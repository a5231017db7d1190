/**
 * `payferry ledger verify`: recomputes every balance from its transfers, and what is held from the transactions in
 * flight, and reports each difference. It goes account by account, each in one snapshot of its own: books stand alone,
 * and a distributed engine has no snapshot over all of them.
 */
import type { Database, Tx } from '../kernel/database.ts';
import type { Difference } from './difference.ts';
import {
  accountsAfter,
  accountsWithoutRow,
  balanceDifferences,
  entryDifferences,
  joinWholeTables,
  permissionDifferences,
} from './verify-books.ts';
import { debitDifferences, heldDifferences, releaseDifferences } from './verify-held.ts';
import { receiptDifferences, resolutionDifferences, suspenseDifferences } from './verify-payins.ts';
import { collectedDifferences, giveBackDifferences, paidOutDifferences } from './verify-received.ts';

export interface LedgerReport {
  readonly accountsChecked: number;
  /** Empty: the books are right. */
  readonly differences: readonly Difference[];
  /** False: there were more differences than are reported, and checking stopped. */
  readonly isComplete: boolean;
}

/** A report that is longer helps nobody. */
export const MAX_DIFFERENCES = 1_000;
const ACCOUNTS_PER_PAGE = 200;
/** Nothing waits for a verification, and the books of a large account take longer than a statement of a call may. */
const FOR_LARGE_BOOKS = { statementTimeoutMs: 30 * 60_000, seesOneMoment: true } as const;

export async function verifyLedger(db: Database): Promise<LedgerReport> {
  const differences: Difference[] = await db.inTx(async (tx) => {
    await joinWholeTables(tx);
    return accountsWithoutRow(tx, MAX_DIFFERENCES);
  }, FOR_LARGE_BOOKS);
  let accountsChecked = 0;
  let after: string | null = null;
  while (differences.length < MAX_DIFFERENCES) {
    const page: string[] = await readPage(db, after);
    for (const accountId of page) {
      if (differences.length >= MAX_DIFFERENCES) break;
      differences.push(...(await verifyAccount(db, accountId)));
      accountsChecked += 1;
    }
    after = page.at(-1) ?? null;
    if (page.length < ACCOUNTS_PER_PAGE) break;
  }
  const isComplete = differences.length < MAX_DIFFERENCES;
  return { accountsChecked, differences: differences.slice(0, MAX_DIFFERENCES), isComplete };
}

/** One account in one snapshot: nothing moves while its books are compared. */
export function verifyAccount(db: Database, accountId: string): Promise<Difference[]> {
  return db.inTx(async (tx) => {
    await joinWholeTables(tx);
    const differences: Difference[] = [];
    for (const check of CHECKS) differences.push(...(await check(tx, accountId, MAX_DIFFERENCES)));
    return differences;
  }, FOR_LARGE_BOOKS);
}

const CHECKS: readonly ((tx: Tx, accountId: string, limit: number) => Promise<Difference[]>)[] = [
  balanceDifferences,
  permissionDifferences,
  entryDifferences,
  heldDifferences,
  releaseDifferences,
  paidOutDifferences,
  collectedDifferences,
  debitDifferences,
  receiptDifferences,
  suspenseDifferences,
  resolutionDifferences,
  giveBackDifferences,
];

function readPage(db: Database, after: string | null): Promise<string[]> {
  return db.inTx((tx) => accountsAfter(tx, after, ACCOUNTS_PER_PAGE));
}
