/**
 * Conservation: after thousands of mixed payouts everything that was brought in is either in a balance or was paid out,
 * to the last unit, in each currency, with the exchange positions between them. Reduced count; `npm run prove` has the
 * full one.
 */
import { expect, it } from 'vitest';
import { verifyLedger } from '../../server/src/ledger/verify.ts';
import { startApp, type TestAccount } from '../support/app.ts';
import { freshDatabase } from '../support/database.ts';
import { bodyOfPayout } from '../support/payout.ts';
import { named } from '../support/payouts.ts';
import { type TransactionView, transactionIn } from '../support/transactions.ts';
import { DAY_MS, MINUTE_MS } from './world.ts';

const PAYOUTS = Number(process.env['CONSERVED_PAYOUTS'] ?? 80);
const CALLERS = 8;
const LIMIT_MS = 3_600_000;
const TOP_UP = 10n ** 12n;
const INPUTS = ['USD', 'EUR', 'GBP'] as const;
/** Not from due time to due time: with thousands of payouts there are too many of those. */
const STRIDE_MS = 20 * MINUTE_MS;

const { db } = await freshDatabase();
const app = await startApp({ db });

interface Kind {
  readonly names: readonly string[];
  readonly caller?: 'cancel' | 'edit' | 'cancel unfunded';
  readonly ends: readonly string[];
}

/** What is asked of the sandbox, what the caller does, and how it may end. */
const KINDS: readonly Kind[] = [
  { names: ['Paid'], ends: ['paid: success'] },
  { names: ['Paid', 'Paid', 'Paid'], ends: ['paid: success success success'] },
  { names: ['Retry'], ends: ['paid: success'] },
  { names: ['Later'], caller: 'cancel', ends: ['paid: success'] },
  { names: ['416'], caller: 'cancel', ends: ['refunded: refunded'] },
  { names: ['416'], caller: 'edit', ends: ['paid: success'] },
  { names: ['511'], ends: ['refunded: refunded'] },
  { names: ['3', '416'], ends: ['refunded: refunded refunded'] },
  { names: ['416', 'Paid'], caller: 'cancel', ends: ['refunded: refunded success'] },
  { names: ['Overpaid'], ends: ['paid: overpaid'] },
  { names: ['Timeout', 'Lost'], ends: ['paid: success success'] },
  { names: ['Paid', 'Paid'], caller: 'cancel unfunded', ends: ['paid: canceled success'] },
];

interface Made {
  readonly id: string;
  readonly kind: Kind;
  readonly account: TestAccount;
}

async function make(account: TestAccount, number: number): Promise<Made> {
  const kind = KINDS[number % KINDS.length];
  if (!kind) throw new Error('a kind for each number');
  const inputCurrency = INPUTS[number % INPUTS.length] ?? 'USD';
  const recipients = kind.names.map((name, place) => ({
    requested_amount: (1 + ((number * 7 + place) % 500) / 100).toFixed(2),
    requested_currency: inputCurrency,
    payout_method: named(name),
  }));
  const body = bodyOfPayout({ inputCurrency, over: { recipients } });
  const { caller } = account;
  const created = transactionIn(await caller.post('/v1/transactions', body), 201);
  if (kind.caller === 'cancel unfunded') await cancel(account, created);
  const { status, text } = await caller.post('/v1/accounts/debits', {
    debit: { to_id: created.id, to_type: 'Transaction' },
  });
  expect(status, text).toBe(200);
  return { id: created.id, kind, account };
}

async function cancel({ caller }: TestAccount, { recipients }: TransactionView): Promise<void> {
  expect((await caller.delete(`/v1/recipients/${recipients[0]?.id}`)).status).toBe(200);
}

async function act({ id, kind, account }: Made): Promise<void> {
  if (kind.caller !== 'cancel' && kind.caller !== 'edit') return;
  const transaction = transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200);
  if (kind.caller === 'cancel') return cancel(account, transaction);
  const recipient = { payout_method: { details: { last_name: 'Paid' } } };
  const answer = await account.caller.patch(`/v1/recipients/${transaction.recipients[0]?.id}`, { recipient });
  expect(answer.status, answer.text).toBe(200);
}

async function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const call = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index);
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return results;
}

/** Sums of what recipients cost and got, by how they ended. */
function totals() {
  return db.query<{ state: string; input_currency: string; input: bigint; output: bigint }>(
    `select state, input_currency, sum(input_amount)::bigint as input, sum(output_amount)::bigint as output
     from recipients group by state, input_currency`,
  );
}

async function ledger(account: string, currency: string): Promise<bigint> {
  const rows = await db.query<{ total: bigint }>(
    `select coalesce(sum(amount), 0)::bigint as total from ledger_balances
     where ledger_account = $1 and currency = $2`,
    [account, currency],
  );
  return rows[0]?.total ?? 0n;
}

it(
  `${PAYOUTS} mixed payouts: balances and payouts are what was brought in`,
  async () => {
    const balances = Object.fromEntries(INPUTS.map((currency) => [currency, TOP_UP]));
    const accounts = [await app.newAccount({ balances }), await app.newAccount({ balances })];
    const made = await atOnce(PAYOUTS, (number) => make(accounts[number % 2] ?? failed(), number));
    await app.engine.run();
    await atOnce(made.length, (index) => act(made[index] ?? failed()));
    for (let passedMs = 0; passedMs <= DAY_MS + STRIDE_MS; passedMs += STRIDE_MS) {
      await app.engine.run();
      app.clock.advance(STRIDE_MS);
    }
    for (const { id, kind, account } of made) {
      const { state, recipients } = transactionIn(await account.caller.get(`/v1/transactions/${id}`), 200);
      expect(kind.ends).toContain(`${state}: ${recipients.map((each) => each.state).join(' ')}`);
    }
    expect((await verifyLedger(db)).differences).toEqual([]);
    const ends = await totals();
    const paid = ends.filter(({ state }) => state === 'success' || state === 'overpaid');
    for (const currency of INPUTS) {
      const cost = paid.filter((row) => row.input_currency === currency).reduce((sum, row) => sum + row.input, 0n);
      expect(cost > 0n).toBe(true);
      expect((await ledger('balance', currency)) + cost).toBe(TOP_UP * BigInt(accounts.length));
      expect([await ledger('held', currency), await ledger('exchange', currency)]).toEqual([0n, cost]);
    }
    const got = paid.reduce((sum, row) => sum + row.output, 0n);
    // The sandbox pays twice the amount to those whom it overpays.
    const excess = ends.filter(({ state }) => state === 'overpaid').reduce((sum, row) => sum + row.output, 0n);
    expect(await ledger('payout_settlement', 'NGN')).toBe(got + excess);
    expect(await ledger('exchange', 'NGN')).toBe(-(got + excess));
  },
  LIMIT_MS,
);

function failed(): never {
  throw new Error('not there');
}
