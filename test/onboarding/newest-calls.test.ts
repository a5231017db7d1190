/** The check of an account that has made very many calls looks at the newest of them. */
import { describe, expect, it } from 'vitest';
import { readCancelUse, readStatusChecks } from '../../server/src/onboarding/use-store.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const id = (number: string) => `('00000000-0000-7000-8000-' || lpad(${number}::text, 12, '0'))::uuid`;

describe('what an account did so far', () => {
  const [NEWEST, TRANSACTION] = [50_000, '00000000-0000-7000-8000-000000000007'];
  const called = (method: string, url: string, from: number, to: number) =>
    db.execute(
      `insert into api_logs (account_id, api_log_id, request_method, request_url, request_headers, request_body,
         response_status, response_headers, response_body, created_at)
       select '${ACCOUNT}', ${id('n')}, $1, $2, '{}', '', 200, '{}', '', '2026-03-01T00:00:00Z'::timestamptz + n * interval '1 s'
       from generate_series($3::integer, $4::integer) n`,
      [method, url, from, to],
    );
  const canceled = async () => (await db.inTx((tx) => readCancelUse(tx, ACCOUNT))).counts.canceled;

  it('is told by its newest calls, however many it made before', async () => {
    await db.execute(
      `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
         is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at)
       values ($1::uuid, $2::uuid, $2::uuid, 'paid', 'USD', 1, 1, false, false, false, '{}', 1, '2026-01-01', '2026-01-02')`,
      [ACCOUNT, TRANSACTION],
    );
    await called('DELETE', `/v1/recipients/${TRANSACTION}`, 1, 1);
    await called('GET', `/v1/transactions/${TRANSACTION.toUpperCase()}?expand=all`, 2, 3);
    await called('GET', '/v1/transactions/00000000-0000-7000-8000-00000000000g', 4, 4);
    await called('POST', '/v1/transactions', 5, NEWEST);
    expect(await canceled()).toBe(1);
    const allowed = { first: 6, later: 1 };
    const checks = await db.inTx((tx) => readStatusChecks(tx, ACCOUNT, allowed));
    expect(checks.counts).toEqual({ status_checks: 2, hours_over: 1 });
    await called('POST', '/v1/transactions', NEWEST + 1, NEWEST + 1);
    expect(await canceled()).toBe(0);
  });
});
