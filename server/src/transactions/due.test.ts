import { expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { seedAccount, seedTransactions } from '../../../test/support/seed.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { readDueTransactions } from './due.ts';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1_000);
const HOUR_SECONDS = 3_600;

const { db } = await freshDatabase();

it('counts the transactions whose hour is over and tells how long the oldest has waited', async () => {
  const ids = timeOrderedIds();
  const account = await seedAccount(db, ids, { now: NOON, balances: {} });
  await seedTransactions(db, ids, account, { now: NOON, count: 2, inputMinor: 100n });
  await seedTransactions(db, ids, account, { now: at(60), count: 1, inputMinor: 100n });
  const none = { kind: 'transactions', due: 0, claimed: 0, oldestSeconds: 0 };
  expect(await readDueTransactions(db, at(HOUR_SECONDS - 1))).toEqual(none);
  expect(await readDueTransactions(db, at(HOUR_SECONDS))).toEqual({ ...none, due: 2 });
  expect(await readDueTransactions(db, at(HOUR_SECONDS + 90))).toEqual({ ...none, due: 3, oldestSeconds: 90 });
});
