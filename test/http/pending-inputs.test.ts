/**
 * What waits to be funded is looked for among what was created within the hour, not in all that an account ever did.
 */
import { expect, it } from 'vitest';
import { readPendingInputs } from '../../server/src/ledger/own-balances.ts';
import { freshDatabase } from '../support/database.ts';
import { keptPlans, rowsPassedOver } from '../support/plans.ts';

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const now = new Date('2026-06-01T12:00:00Z');

it('reads no transaction that has expired, and counts those that have not', async () => {
  // The first is one minute old, and each of the others an hour older than the one before.
  await db.execute(
    `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
       is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at)
     select $1::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid, 'approved', 'USD', 5, 0,
       false, false, false, '{}', 1, t.at, t.at + interval '1 hour'
     from generate_series(0, 2999) n
     cross join lateral (select $2::timestamptz - interval '1 minute' - n * interval '1 hour' as at) t`,
    [ACCOUNT, now],
  );
  await db.execute('vacuum analyze transactions');
  const wanted = { accountId: ACCOUNT, currencies: ['USD'], now };
  expect(await readPendingInputs(db, wanted)).toEqual(new Map([['USD', 5n]]));
  const plans = await keptPlans(db, (tx) => readPendingInputs(tx, wanted));
  expect(rowsPassedOver(plans)).toBe(0);
});
