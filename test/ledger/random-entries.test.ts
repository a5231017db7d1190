/**
 * Random sequences of entries keep every invariant of the books: a tenant's ledger accounts sum to zero in each
 * currency, each balance is the sum of its transfers, nothing is below zero that may not be, and a plain model agrees.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Book, openBook, writeBook } from '../../server/src/ledger/book.ts';
import { ENTRIES, type EntryName, mayGoBelowZero } from '../../server/src/ledger/chart.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import type { BalanceKey } from '../../server/src/ledger/store.ts';
import { freshDatabase } from '../support/database.ts';
import { ids, makeAccounts, NOON } from './make-account.ts';

/** Cases are tenants with a history of their own; many share a database transaction, for speed. */
const RUNS = 25;
const CASES_PER_RUN = 40;
const MAX_ENTRIES_PER_CASE = 24;
/** Each history is written in this many batches, so that a later one reads what an earlier one stored. */
const BATCHES_PER_CASE = 3;

const { db } = await freshDatabase();

interface Step {
  readonly entry: EntryName;
  readonly currencies: readonly [string, string];
  readonly minors: readonly [bigint, bigint];
}

interface History {
  readonly negativeBalance: boolean;
  readonly steps: readonly Step[];
}

const currencyArbitrary = fc.constantFrom('USD', 'NGN', 'USD::Partner');
const minorArbitrary = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 10n ** 15n - 1n }));
const namesOf = (entries: typeof ENTRIES) => Object.keys(entries) as EntryName[];

const historyArbitrary: fc.Arbitrary<History> = fc.record({
  negativeBalance: fc.boolean(),
  steps: fc.array(
    fc.record({
      entry: fc.constantFrom(...namesOf(ENTRIES)),
      currencies: fc.tuple(currencyArbitrary, currencyArbitrary),
      minors: fc.tuple(minorArbitrary, minorArbitrary),
    }),
    { minLength: 1, maxLength: MAX_ENTRIES_PER_CASE },
  ),
});

interface Leg {
  readonly from: BalanceKey;
  readonly to: BalanceKey;
  readonly minor: bigint;
}

function legsOf(accountId: string, step: Step): Leg[] {
  return ENTRIES[step.entry].map(([from, to], index) => ({
    from: { accountId, currency: step.currencies[index] ?? '', ledgerAccount: from },
    to: { accountId, currency: step.currencies[index] ?? '', ledgerAccount: to },
    minor: step.minors[index] ?? 0n,
  }));
}

const nameOf = (key: BalanceKey) => `${key.accountId} ${key.currency} ${key.ledgerAccount}`;

/** The books as a child would keep them: a number for each name. */
class Model {
  readonly amounts = new Map<string, bigint>();

  /** Whether all legs can be had one after the other; if so they are moved. */
  move(legs: readonly Leg[], negativeBalance: boolean): boolean {
    const next = new Map(this.amounts);
    for (const { from, to, minor } of legs) {
      const left = (next.get(nameOf(from)) ?? 0n) - minor;
      if (left < 0n && !mayGoBelowZero(from.ledgerAccount, negativeBalance)) return false;
      next.set(nameOf(from), left);
      next.set(nameOf(to), (next.get(nameOf(to)) ?? 0n) + minor);
    }
    for (const [name, amount] of next) this.amounts.set(name, amount);
    return true;
  }
}

function post(book: Book, accountId: string, step: Step, legs: readonly Leg[]): boolean {
  if (!legs.every((leg) => book.canGive(leg.from, leg.minor))) return false;
  const amounts = legs.map((leg) => ({ currency: leg.from.currency, minor: leg.minor }));
  book.post(makeEntry(ids, step.entry, { accountId, postedAt: NOON, amounts }));
  return true;
}

/** The steps of one batch, of all cases, each with the tenant that takes it. */
function batchOf(histories: readonly History[], accountIds: readonly string[], batch: number) {
  return histories.flatMap((history, index) => {
    const size = Math.ceil(history.steps.length / BATCHES_PER_CASE);
    const accountId = accountIds[index] ?? '';
    return history.steps
      .slice(batch * size, (batch + 1) * size)
      .map((step) => ({ accountId, step, legs: legsOf(accountId, step), negativeBalance: history.negativeBalance }));
  });
}

async function expectSoundBooks(accountIds: readonly string[], model: Model): Promise<void> {
  const balances = await db.query<{ name: string; amount: bigint; transferred: bigint; may_go_below_zero: boolean }>(
    `select concat_ws(' ', b.account_id, b.currency, b.ledger_account) as name, b.amount, b.may_go_below_zero,
       (select coalesce(sum(case when t.to_account = b.ledger_account then t.amount else -t.amount end), 0)
        from ledger_transfers t
        where t.account_id = b.account_id and t.currency = b.currency
          and b.ledger_account in (t.from_account, t.to_account))::bigint as transferred
     from ledger_balances b
     where b.account_id = any($1::uuid[])`,
    [accountIds],
  );
  for (const row of balances) {
    expect(row.amount).toBe(row.transferred);
    if (!row.may_go_below_zero) expect(row.amount >= 0n).toBe(true);
  }
  const moved = [...model.amounts].filter(([, amount]) => amount !== 0n);
  const stored = balances.filter((row) => row.amount !== 0n).map((row) => [row.name, row.amount] as const);
  expect(new Map(stored)).toEqual(new Map(moved));
  const sums = await db.query<{ total: string }>(
    `select sum(b.amount) as total from ledger_balances b
     where b.account_id = any($1::uuid[])
     group by b.account_id, b.currency`,
    [accountIds],
  );
  expect(sums.filter((row) => row.total !== '0')).toEqual([]);
}

it('random entries leave sound books, and an entry is refused exactly when the money is not there', async () => {
  let posted = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(historyArbitrary, { minLength: CASES_PER_RUN, maxLength: CASES_PER_RUN, size: 'max' }),
      async (histories) => {
        const model = new Model();
        const accountIds = await makeAccounts(
          db,
          histories.map((history) => history.negativeBalance),
        );
        for (let batch = 0; batch < BATCHES_PER_CASE; batch += 1) {
          await db.inTx(async (tx) => {
            const steps = batchOf(histories, accountIds, batch);
            const book = await openBook(
              tx,
              steps.flatMap(({ legs }) => legs.flatMap((leg) => [leg.from, leg.to])),
            );
            for (const { accountId, step, legs, negativeBalance } of steps) {
              const isPosted = post(book, accountId, step, legs);
              expect(isPosted).toBe(model.move(legs, negativeBalance));
              if (isPosted) posted += 1;
              else refused += 1;
            }
            await writeBook(tx, book);
          });
        }
        await expectSoundBooks(accountIds, model);
      },
    ),
    { numRuns: RUNS },
  );
  // Both sides of the rule were met many times.
  expect(posted).toBeGreaterThan(RUNS * CASES_PER_RUN);
  expect(refused).toBeGreaterThan(RUNS * CASES_PER_RUN);
});
