/**
 * Fundings through the batch runner, on the real books, give exactly what the same fundings give one by one: the same
 * answers, the same balances, the same transfers. Twin accounts get the same commands, one of them in batches.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchOptions, BatchRunner } from '../../server/src/kernel/batch.ts';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import { freshDatabase } from '../support/database.ts';
import { type SeededAccount, seedAccount } from '../support/seed.ts';
import { ids, NOON } from './make-account.ts';

/** Reduced for speed: every command costs a commit of its own in the one-by-one half. In all 1,000 commands. */
const RUNS = 10;
const COMMANDS_PER_RUN = 100;
const TENANTS = 3;
const CONCURRENT_CALLERS = 256;

const { db } = await freshDatabase();

interface Funding {
  readonly accountId: string;
  readonly currency: 'USD' | 'EUR';
  readonly minor: bigint;
}

/** Load, decide, write: the shape of every operation, with the least that makes it one. */
async function fund(commands: readonly Funding[]): Promise<string[]> {
  return db.inTx(async (tx) => {
    const book = await openBook(
      tx,
      commands.flatMap(({ accountId, currency }) => [
        { accountId, currency, ledgerAccount: 'balance' as const },
        { accountId, currency, ledgerAccount: 'held' as const },
      ]),
    );
    const answers = commands.map(({ accountId, currency, minor }) => {
      if (!book.canGive({ accountId, currency, ledgerAccount: 'balance' }, minor)) return 'insufficient balance';
      book.post(makeEntry(ids, 'fund', { accountId, postedAt: NOON, amounts: [{ currency, minor }] }));
      return `left ${book.amount(accountId, currency, 'balance')}`;
    });
    await writeBook(tx, book);
    return answers;
  });
}

const runnerWith = (options: Partial<BatchOptions<Funding>>) =>
  new BatchRunner<Funding, string>(
    {
      name: 'funding',
      lanes: 3,
      maxCommands: 64,
      oneTenant: false,
      tenantOf: (command) => command.accountId,
      pause: async () => undefined,
      ...options,
    },
    fund,
  );

async function makeTenants(opening: bigint): Promise<SeededAccount[]> {
  const tenants: SeededAccount[] = [];
  for (let index = 0; index < TENANTS; index += 1) {
    tenants.push(await seedAccount(db, ids, { now: NOON, balances: { USD: opening, EUR: opening } }));
  }
  return tenants;
}

/** Without ids, so that twins can be compared: for each tenant its balances and the amounts that were moved. */
async function booksOf(tenants: readonly SeededAccount[]) {
  const books: unknown[] = [];
  for (const { accountId } of tenants) {
    const balances = await db.query(
      `select currency, ledger_account, amount from ledger_balances where account_id = $1::uuid
       order by currency, ledger_account`,
      [accountId],
    );
    const transfers = await db.query(
      `select currency, entry, amount, count(*) as times from ledger_transfers where account_id = $1::uuid
       group by currency, entry, amount order by currency, entry, amount`,
      [accountId],
    );
    books.push({ balances, transfers });
  }
  return books;
}

const commandsArbitrary = fc.array(
  fc.record({
    tenant: fc.integer({ min: 0, max: TENANTS - 1 }),
    currency: fc.constantFrom('USD' as const, 'EUR' as const),
    minor: fc.bigInt({ min: 1n, max: 100n }),
  }),
  { minLength: COMMANDS_PER_RUN, maxLength: COMMANDS_PER_RUN },
);

const optionsArbitrary = fc.record({
  // Several batches of one tenant at once have no order among them: the next test is about those.
  lanes: fc.constant(1),
  maxCommands: fc.integer({ min: 1, max: 64 }),
  oneTenant: fc.boolean(),
});

describe('fundings in batches', () => {
  it('end as the same fundings one by one', async () => {
    const opening = 500n;
    await fc.assert(
      fc.asyncProperty(commandsArbitrary, optionsArbitrary, async (commands, options) => {
        const [together, alone] = [await makeTenants(opening), await makeTenants(opening)];
        const forTwins = (twins: readonly SeededAccount[]): Funding[] =>
          commands.map(({ tenant, ...funding }) => ({ ...funding, accountId: twins[tenant]?.accountId ?? '' }));
        const runner = runnerWith(options);
        const inBatches = await Promise.all(forTwins(together).map((command) => runner.submit(command)));
        const oneByOne: string[] = [];
        for (const command of forTwins(alone)) oneByOne.push(...(await fund([command])));
        expect(inBatches).toEqual(oneByOne);
        expect(await booksOf(together)).toEqual(await booksOf(alone));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('of one hot balance are exact to the last unit under many callers at once', async () => {
    const minor = 7n;
    const enoughFor = 200n;
    const account = await seedAccount(db, ids, { now: NOON, balances: { USD: enoughFor * minor + minor - 1n } });
    const runner = runnerWith({});
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, () =>
        runner.submit({ accountId: account.accountId, currency: 'USD', minor }),
      ),
    );
    expect(answers.filter((answer) => answer !== 'insufficient balance')).toHaveLength(Number(enoughFor));
    const rows = await db.query<{ ledger_account: string; amount: bigint }>(
      `select ledger_account, amount from ledger_balances where account_id = $1::uuid and ledger_account <> 'treasury'
       order by ledger_account`,
      [account.accountId],
    );
    expect(rows).toEqual([
      { ledger_account: 'balance', amount: minor - 1n },
      { ledger_account: 'held', amount: enoughFor * minor },
    ]);
  });

  it('of one account from two runners at once, as in two processes, never overdraw it', async () => {
    const account = await seedAccount(db, ids, { now: NOON, balances: { USD: 1_000n } });
    const runners = [runnerWith({ maxCommands: 8 }), runnerWith({ maxCommands: 8 })];
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT_CALLERS }, (_, index) =>
        runners[index % 2]?.submit({ accountId: account.accountId, currency: 'USD', minor: 10n }),
      ),
    );
    const funded = answers.filter((answer) => answer !== 'insufficient balance');
    expect(funded).toHaveLength(100);
    // Each of them saw another balance after itself: nobody worked on an old one.
    expect(new Set(funded).size).toBe(100);
  });
});
