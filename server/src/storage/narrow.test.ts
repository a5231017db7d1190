/** Conditions that were not asked for leave no trace in the text, so that the plan kept for it stays right. */
import { beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../test/support/database.ts';
import { keptPlans, rowsPassedOver } from '../../../test/support/plans.ts';
import { listAudit } from '../accounts/audit.ts';
import { spanOf } from '../kernel/created-days.ts';
import type { Tx } from '../kernel/database.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import * as recipients from '../recipients/page-store.ts';
import * as senders from '../senders/page-store.ts';
import * as transactions from '../transactions/page-store.ts';
import { narrow, wish } from './narrow.ts';

describe('a list that may be narrowed', () => {
  const byName = wish('n.name = ?::text', 'note');
  const within = { sql: 'n.size between ?::integer and ?::integer', values: [1, 2] };

  it.each([
    ['nothing', [null, null], '', []],
    ['one condition', [null, byName], 'and n.name = $3::text', ['note']],
    [
      'several',
      [within, byName],
      'and n.size between $3::integer and $4::integer and n.name = $5::text',
      [1, 2, 'note'],
    ],
  ])('has the conditions that were asked for: %s', (_, wishes, and, values) => {
    expect(narrow(['first', 7], wishes)).toEqual({ and, values: ['first', 7, ...values] });
  });

  it('takes null for a wish that was not made', () => expect(wish('n.name = ?::text', null)).toBeNull());
});

describe('the length of a list', () => {
  const count = () => Promise.resolve(1_000);
  it.each([
    ['an empty first page', { shown: 0, offset: 0, limit: 10 }, 0],
    ['a page that is not full', { shown: 3, offset: 20, limit: 10 }, 23],
    ['a full page, behind which there may be more', { shown: 10, offset: 20, limit: 10 }, 1_000],
    ['an empty page behind the end', { shown: 0, offset: 20, limit: 10 }, 1_000],
  ])('is known by %s', async (_, page, total) => expect(await totalCountOf(page, count)).toBe(total));
});

const { db } = await freshDatabase();
const ACCOUNT = '00000000-0000-7000-8000-000000000001';
const SENDER = '00000000-0000-7000-8000-000000000001';
const ROWS = 3_000;
const id = (number: string) => `('00000000-0000-7000-8000-' || lpad(${number}::text, 12, '0'))::uuid`;

/** Each row has a sender of its own, and was created in an hour of its own. */
beforeAll(async () => {
  const hour = `'2026-01-01T00:00:00Z'::timestamptz + n * interval '1 hour'`;
  await db.inTx(async (tx) => {
    await tx.execute(
      `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
         is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at)
       select '${ACCOUNT}', ${id('n')}, ${id('n')}, 'paid', 'USD', 1, 1, false, false, false, '{}', 1, ${hour}, ${hour}
       from generate_series(1, ${ROWS}) n`,
    );
    await tx.execute(
      `insert into recipients (account_id, recipient_id, transaction_id, position, type, state, requested_amount,
         requested_currency, input_amount, input_currency, output_amount, output_currency, rate, payout_method_id,
         payout_type, payout_details, payout_metadata, metadata, event_count, created_at)
       select '${ACCOUNT}', ${id('n')}, ${id('n')}, 0, 'person', 'success', 1, 'USD', n, 'USD', 1, 'NGN', '1', ${id('n')},
         'NGN::Bank', '{}', '{}', '{}', 1, ${hour}
       from generate_series(1, ${ROWS}) n`,
    );
    await tx.execute(
      `insert into audit_log (audit_id, at, operator, action, subject)
       select ${id('n')}, ${hour}, 'ada', 'balance.credit', 'thing ' || n from generate_series(1, ${ROWS}) n`,
    );
    await tx.execute(
      `insert into senders (account_id, sender_id, type, state, details, metadata, event_count, created_at, updated_at)
       select '${ACCOUNT}', ${id('n')}, 'person', 'approved', '{}', '{}', 1, ${hour}, ${hour}
       from generate_series(1, ${ROWS}) n`,
    );
  });
  for (const table of ['transactions', 'recipients', 'senders', 'audit_log'])
    await db.execute(`vacuum analyze ${table}`);
});

const PAGE = { offset: 0, limit: 10 };
const DAY = { accountId: ACCOUNT, ...spanOf({ createdAtFrom: '2026-02-01', createdAtTo: '2026-02-01' }) };
const EVER = { accountId: ACCOUNT, ...spanOf({}) };
const ANY = { states: null, amounts: null };

const NOBODY = { operator: null, action: null, subject: null, before: null, limit: 10 };

describe('a plan that is kept for all values reads no more of an account than was asked for:', () => {
  it.each([
    [
      'transactions of a sender',
      (tx: Tx) => transactions.pageOfIds(tx, { accountId: ACCOUNT, senderId: SENDER }, PAGE),
    ],
    ['how many', (tx: Tx) => transactions.countTransactions(tx, { accountId: ACCOUNT, senderId: SENDER })],
    ['recipients of a day', (tx: Tx) => recipients.pageOfRecipientIds(tx, { ...DAY, ...ANY }, PAGE)],
    ['how many of them', (tx: Tx) => recipients.countRecipients(tx, { ...DAY, ...ANY })],
    ['senders of a day', (tx: Tx) => senders.pageOfIds(tx, DAY, PAGE)],
    ['how many of those', (tx: Tx) => senders.countSenders(tx, DAY)],
    ['what was done to one thing', (tx: Tx) => listAudit(tx, { ...NOBODY, subject: 'thing 7' })],
  ])('%s', async (_, list) => expect(rowsPassedOver(await keptPlans(db, list))).toBe(0));
});

it('amounts are compared in their own currency, both bounds included', async () => {
  const amounts = [
    { currency: 'EUR' as const, least: 0n, most: 1_000n },
    { currency: 'USD' as const, least: 5n, most: 7n },
  ];
  const filter = { ...EVER, states: null, amounts };
  const found = await db.inTx((tx) => recipients.pageOfRecipientIds(tx, filter, PAGE));
  expect(found.map(({ recipientId }) => recipientId.slice(-1))).toEqual(['7', '6', '5']);
  expect(await db.inTx((tx) => recipients.countRecipients(tx, filter))).toBe(3);
});
