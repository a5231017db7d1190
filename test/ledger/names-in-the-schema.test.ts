/** What the database's check constraints allow is what the tables in the code list: both ways, nothing missing. */
import { describe, expect, it } from 'vitest';
import { KYC_KINDS } from '../../server/src/accounts/account.ts';
import { present } from '../../server/src/kernel/assert.ts';
import { LEDGER_ACCOUNTS, mayGoBelowZero } from '../../server/src/ledger/chart.ts';
import { STATES as PAYIN_METHOD_STATES } from '../../server/src/payins/states.ts';
import { STATES as PAYOUT_METHOD_STATES } from '../../server/src/payout-methods/payout-method.ts';
import { CANCELED_BY } from '../../server/src/recipients/canceler.ts';
import { STATES as RECIPIENT_STATES } from '../../server/src/recipients/states.ts';
import { CHECK_REASONS, REVIEW_OUTCOMES, REVIEW_REASONS } from '../../server/src/reviews/review.ts';
import { DUE_REASONS } from '../../server/src/senders/sender.ts';
import { STATES as SENDER_STATES } from '../../server/src/senders/states.ts';
import { STATES as TRANSACTION_STATES } from '../../server/src/transactions/states.ts';
import { DELIVERY_STATES } from '../../server/src/webhooks/delivery.ts';
import { EVENTS, FURTHER_EVENTS } from '../../server/src/webhooks/events.ts';
import { freshDatabase } from '../support/database.ts';

const { db } = await freshDatabase();

const constraints = new Map(
  (
    await db.query<{ name: string; definition: string }>(
      `select c.conname as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c
       where c.contype = 'c' and c.connamespace = 'public'::regnamespace`,
    )
  ).map((row) => [row.name, row.definition]),
);

/** The words that the constraint lists, sorted. */
function wordsOf(constraint: string): string[] {
  const definition = present(constraints.get(constraint), `constraint ${constraint}`);
  return [...definition.matchAll(/'([^']*)'::text/g)].map((match) => match[1] ?? '').sort();
}

const ledgerAccounts = Object.keys(LEDGER_ACCOUNTS);
const belowZero = (
  ['balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense'] as const
).filter((name) => mayGoBelowZero(name, true));
const objectTypes = [...EVENTS, ...FURTHER_EVENTS].map((row) => row.object);

const statesOf = (rows: readonly { readonly state: string }[]) => rows.map((row) => row.state);

const MIRRORS: readonly (readonly [string, readonly string[]])[] = [
  ['ledger_balances_account_known', ledgerAccounts],
  ['ledger_transfers_from_known', ledgerAccounts],
  ['ledger_transfers_to_known', ledgerAccounts],
  ['ledger_balances_below_zero_allowed', belowZero],
  ['senders_state_known', statesOf(SENDER_STATES)],
  ['senders_due_for_known', DUE_REASONS],
  ['sender_checks_reason_known', CHECK_REASONS],
  ['sender_reviews_reason_known', REVIEW_REASONS],
  ['sender_reviews_outcome_known', REVIEW_OUTCOMES],
  ['transactions_state_known', statesOf(TRANSACTION_STATES)],
  ['recipients_state_known', statesOf(RECIPIENT_STATES)],
  ['recipients_canceled_by_known', CANCELED_BY],
  ['payin_methods_state_known', statesOf(PAYIN_METHOD_STATES)],
  ['payout_methods_state_known', PAYOUT_METHOD_STATES],
  ['webhook_deliveries_state_known', DELIVERY_STATES],
  ['accounts_kyc_known', KYC_KINDS],
  ['events_object_type_known', objectTypes],
];

describe('the words of a check constraint', () => {
  it.each(MIRRORS)('%s are those of the table in the code', (constraint, words) => {
    expect(wordsOf(constraint)).toEqual([...new Set(words)].sort());
  });

  it('are compared above for every table that has states', async () => {
    const tables = await db.query<{ table_name: string }>(
      `select table_name from information_schema.columns
       where table_schema = 'public' and column_name = 'state' order by table_name`,
    );
    for (const { table_name } of tables) {
      expect(MIRRORS.map(([name]) => name)).toContain(`${table_name}_state_known`);
    }
  });
});
