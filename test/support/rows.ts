/** What is stored, as a test looks at it: rows of every table, balances, events. */
import { expect } from 'vitest';
import type { Database } from '../../server/src/kernel/database.ts';
import { verifyAccount, verifyLedger } from '../../server/src/ledger/verify.ts';

/** The rows of every table there is, so that nothing can be left behind in one that a test forgot. */
export async function countRows(db: Database): Promise<Record<string, number>> {
  const tables = await db.query<{ name: string }>(
    `select c.relname::text as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  );
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*) as count from ${name}`);
  const rows = await db.query<{ name: string; count: bigint }>(counts.join(' union all '));
  return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
}

/** The tables whose number of rows differs, with the difference. */
export function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const changes = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

/** Minor units by ledger account, without those that hold nothing. */
export async function ledgerOf(db: Database, accountId: string, currency: string): Promise<Record<string, bigint>> {
  const rows = await db.query<{ ledger_account: string; amount: bigint }>(
    'select ledger_account, amount from ledger_balances where account_id = $1::uuid and currency = $2 and amount <> 0',
    [accountId, currency],
  );
  return Object.fromEntries(rows.map((row) => [row.ledger_account, row.amount]));
}

/** Every balance is the sum of its transfers, and what is held is what is in flight: of one account, or of all. */
export async function expectSoundLedger(db: Database, accountId?: string): Promise<void> {
  const differences =
    accountId === undefined ? (await verifyLedger(db)).differences : await verifyAccount(db, accountId);
  expect(differences).toEqual([]);
}

export interface StoredEvent {
  readonly event: string;
  readonly sequence: number;
  readonly object: Readonly<Record<string, unknown>>;
  readonly descriptors: readonly string[];
  readonly at: Date;
}

/** The events about one object, in their order. */
export async function eventsOf(db: Database, objectId: string): Promise<StoredEvent[]> {
  const rows = await db.query<{
    event: string;
    sequence: number;
    object: string;
    descriptors: string[];
    created_at: Date;
  }>(
    `select event, sequence, object, descriptors, created_at from events
     where object_id = $1::uuid order by sequence`,
    [objectId],
  );
  return rows.map(({ object, created_at: at, ...row }) => ({ ...row, object: JSON.parse(object), at }));
}
