/** What a sender did before is looked up within bounds, however much that is. */
import { expect, it } from 'vitest';
import { readHistories } from '../../server/src/holds/history-store.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const id = (number: string) => `('00000000-0000-7000-8000-' || lpad(${number}::text, 12, '0'))::uuid`;

it('a payout type is looked for in the newest thousand that its sender has paid', async () => {
  const [accountId, senderId] = [ACCOUNT, ACCOUNT];
  const paid = (from: number, to: number, type: string) =>
    db.inTx(async (tx) => {
      const copied = `'${accountId}', ${id('n')}`;
      const source = `generate_series($1::integer, $2::integer) n`;
      await tx.execute(
        `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount,
           paid_amount, is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at)
         select ${copied}, '${senderId}', 'paid', 'USD', 1, 1, false, false, false, '{}', 1,
           '2026-01-01'::timestamptz + n * interval '1 min', '2026-01-02' from ${source}`,
        [from, to],
      );
      await tx.execute(
        `insert into recipients (account_id, recipient_id, transaction_id, position, type, state, requested_amount,
           requested_currency, input_amount, input_currency, output_amount, output_currency, rate, payout_method_id,
           payout_type, payout_details, payout_metadata, metadata, event_count, created_at)
         select ${copied}, ${id('n')}, 0, 'person', 'success', 1, 'USD', n, 'USD', 1, 'NGN', '1', ${id('n')},
           $3::text, '{}', '{}', '{}', 1, '2026-01-01' from ${source}`,
        [from, to, type],
      );
    });
  const hasPaid = async (payoutType: string | null) => {
    const question = {
      accountId,
      transactionId: ACCOUNT,
      senderId,
      fundedAt: new Date('2026-03-01T00:00:00Z'),
      payoutType,
    };
    return [...(await db.inTx((tx) => readHistories(tx, [question]))).values()].map((history) => history.hasPaid);
  };
  await db.execute(
    `insert into accounts (account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency,
       created_at, updated_at)
     values ('${accountId}', 'other', true, 'waived', false, false, false, '{}', '2026-01-01', '2026-01-01')`,
  );
  await paid(1, 1, 'KES::Mobile');
  await paid(2, 1_000, 'NGN::Bank');
  expect(await hasPaid('KES::Mobile')).toEqual([true]);
  await paid(1_001, 1_001, 'NGN::Bank');
  expect(await hasPaid('KES::Mobile')).toEqual([false]);
  expect(await hasPaid('NGN::Bank')).toEqual([true]);
  expect(await hasPaid(null)).toEqual([true]);
});
