/** What is due of an account is put off all at once: it is looked for once, whatever the statistics say. */
import { expect, it } from 'vitest';
import { planOfChange } from '../../../test/sessions/plan-of-change.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { putOffAccount } from './update-store.ts';

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const TRANSACTIONS = 300;
const NOW = new Date('2026-01-01T12:00:00Z');
const UNTIL = new Date('2026-01-01T12:05:00Z');

const add = (accountId: string, count: number, dueAt: Date | null) =>
  db.execute(
    `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
       is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at, funded_at, due_at)
     select ${accountId}, gen_random_uuid(), gen_random_uuid(), 'received', 'USD', 100, 100,
       false, true, false, '{}', 2, $1::timestamptz, $1::timestamptz, $1::timestamptz, $3::timestamptz
     from generate_series(1, $2::integer)`,
    [NOW, count, dueAt],
  );

it('what is due of an account that has grown since the last statistics is looked for once', async () => {
  await db.execute('alter table transactions set (autovacuum_enabled = off)');
  await add('gen_random_uuid()', TRANSACTIONS * 10, null);
  await db.execute('analyze transactions');
  await add(`'${ACCOUNT}'::uuid`, TRANSACTIONS, NOW);
  const times = { now: NOW, until: UNTIL };
  const { plan, changed } = await planOfChange(db, (tx) => putOffAccount(tx, { accountId: ACCOUNT }, times));
  expect(changed).toBe(TRANSACTIONS);
  expect(plan).not.toMatch(/Nested Loop|Join/);
  expect([...plan.matchAll(/LockRows .*loops=(\d+)/g)].map(([, loops]) => loops)).toEqual(['1']);
});
