/** The database itself refuses to break the books, whoever asks: a table of statements, and random ones. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordAudit } from '../../server/src/accounts/audit.ts';
import { sqlState, type Tx } from '../../server/src/kernel/database.ts';
import { insertDebits } from '../../server/src/transactions/debit-store.ts';
import { insertEvents } from '../../server/src/webhooks/outbox.ts';
import { freshDatabase } from '../support/database.ts';
import { seedAccount, seedTransactions } from '../support/seed.ts';
import { ids, NOON } from './make-account.ts';

/** Random statements, in groups that share a database transaction. */
const RUNS = 20;
const ATTACKS_PER_RUN = 60;

const APPEND_ONLY = '23001';
const CHECK = '23514';
const UNIQUE = '23505';

const { db } = await freshDatabase();
let accountId = '';

beforeAll(async () => {
  const account = await seedAccount(db, ids, { now: NOON, balances: { USD: 100n } });
  accountId = account.accountId;
  const [transactionId = ''] = await seedTransactions(db, ids, account, { now: NOON, count: 1, inputMinor: 10n });
  await db.inTx(async (tx) => {
    for (const name of ['held', 'suspense', 'payout_settlement', 'exchange']) {
      await tx.execute(
        `insert into ledger_balances (account_id, currency, ledger_account, amount, may_go_below_zero)
         values ($1::uuid, 'USD', $2::text, 50, $2::text = 'exchange')`,
        [accountId, name],
      );
    }
    const debit = {
      accountId,
      debitId: ids.next(),
      transactionId,
      amount: 10n,
      currency: 'USD',
      usdAmount: null,
      runningBalance: 90n,
      metadata: {},
      createdAt: NOON,
    } as const;
    await insertDebits(tx, [debit], { amount: () => 90n });
    await insertEvents(tx, [
      {
        accountId,
        eventId: ids.next(),
        event: 'transaction.paid_in',
        objectType: 'transaction',
        objectId: transactionId,
        sequence: 1,
        object: '{}',
        descriptors: [],
        createdAt: NOON,
      },
    ]);
    await recordAudit(tx, {
      auditId: ids.next(),
      at: NOON,
      operator: 'ada',
      action: 'test',
      subject: 'test',
      before: null,
      after: null,
    });
  });
});

class Undone extends Error {}

/** Runs the statement, tells what came of it, and undoes it. */
async function outcomeOf(sql: string): Promise<string> {
  const done = db.inTx(async (tx) => {
    const touched = await tx.execute(sql, sql.includes('$1') ? [accountId] : []);
    throw new Undone(`${touched} rows`);
  });
  return done.then(
    () => 'committed',
    (fault) => (fault instanceof Undone ? fault.message : (sqlState(fault) ?? String(fault))),
  );
}

const insertTransfer = (amount: string, from: string, to: string, id = `'${ids.next()}'`) =>
  `insert into ledger_transfers (account_id, transfer_id, entry_id, entry, currency, from_account, to_account, amount,
     posted_at)
   select $1::uuid, ${id}, '${ids.next()}', 'fund', 'USD', '${from}', '${to}', ${amount}, '2026-11-15T12:00:00Z'`;

const setBalance = (name: string, change: string) =>
  `update ledger_balances set ${change} where account_id = $1::uuid and currency = 'USD' and ledger_account = '${name}'`;

const anyTransfer = `(select transfer_id from ledger_transfers where account_id = $1::uuid limit 1)`;

describe('the database refuses', () => {
  it.each([
    [
      'to change a transfer',
      'update ledger_transfers set amount = amount + 1 where account_id = $1::uuid',
      APPEND_ONLY,
    ],
    ['to change no transfer at all', 'update ledger_transfers set amount = 1 where false', APPEND_ONLY],
    ['to delete a transfer', 'delete from ledger_transfers where account_id = $1::uuid', APPEND_ONLY],
    ['to empty the transfers', 'truncate ledger_transfers', APPEND_ONLY],
    ['to change a debit', 'update debits set amount = 1 where account_id = $1::uuid', APPEND_ONLY],
    ['to delete a debit', 'delete from debits where account_id = $1::uuid', APPEND_ONLY],
    ['to empty the debits', 'truncate debits', APPEND_ONLY],
    ['to change the audit log', "update audit_log set operator = 'nobody'", APPEND_ONLY],
    ['to delete from the audit log', 'delete from audit_log', APPEND_ONLY],
    ['to empty the audit log', 'truncate audit_log', APPEND_ONLY],
    ['to change an event', "update events set object = '' where account_id = $1::uuid", APPEND_ONLY],
    ['a transfer of nothing', insertTransfer('0', 'balance', 'held'), CHECK],
    ['a transfer of less than nothing', insertTransfer('-1', 'balance', 'held'), CHECK],
    ['a transfer of 10^15', insertTransfer('1000000000000000', 'balance', 'held'), CHECK],
    ['a transfer to where it came from', insertTransfer('1', 'held', 'held'), CHECK],
    ['a transfer from an unknown ledger account', insertTransfer('1', 'pocket', 'held'), CHECK],
    ['a transfer to an unknown ledger account', insertTransfer('1', 'held', 'pocket'), CHECK],
    ['the same transfer twice', insertTransfer('1', 'balance', 'held', anyTransfer), UNIQUE],
    ['to overdraw balance', setBalance('balance', 'amount = -1'), CHECK],
    ['to overdraw held', setBalance('held', 'amount = -1'), CHECK],
    ['to overdraw suspense', setBalance('suspense', 'amount = -1'), CHECK],
    ['to overdraw payout_settlement', setBalance('payout_settlement', 'amount = -1'), CHECK],
    ['to let held go below zero', setBalance('held', 'may_go_below_zero = true'), CHECK],
    ['to let suspense go below zero', setBalance('suspense', 'may_go_below_zero = true'), CHECK],
    ['to let payout_settlement go below zero', setBalance('payout_settlement', 'may_go_below_zero = true'), CHECK],
    ['a balance of an unknown ledger account', setBalance('held', "ledger_account = 'pocket'"), CHECK],
    ['two balances of one name', setBalance('held', "ledger_account = 'suspense'"), UNIQUE],
  ])('%s', async (_, sql, state) => {
    expect(await outcomeOf(sql)).toBe(state);
  });
});

describe('the database accepts', () => {
  it.each([
    ['a transfer of one minor unit', insertTransfer('1', 'balance', 'held')],
    ['a transfer just below 10^15', insertTransfer('999999999999999', 'balance', 'held')],
    ['a balance of zero', setBalance('held', 'amount = 0')],
    ['an exchange position below zero', setBalance('exchange', 'amount = -1')],
    ['a balance below zero where that was agreed', setBalance('balance', 'may_go_below_zero = true, amount = -1')],
  ])('%s', async (_, sql) => {
    expect(await outcomeOf(sql)).toBe('1 rows');
  });
});

interface Attack {
  readonly sql: string;
  readonly state: string;
}

const ledgerAccountArbitrary = fc.constantFrom('balance', 'held', 'suspense', 'payout_settlement');
const strangerArbitrary = fc.stringMatching(/^[a-z_]{1,12}x$/);
const badMinorArbitrary = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 0n }),
  fc.bigInt({ min: 10n ** 15n, max: 2n ** 63n - 1n }),
);

const attackArbitrary: fc.Arbitrary<Attack> = fc.oneof(
  fc
    .tuple(fc.constantFrom('amount = amount + 1', "currency = 'EUR'", "to_account = 'treasury'"), fc.boolean())
    .map(([change, all]) => ({
      sql: `update ledger_transfers set ${change} where account_id = $1::uuid or ${all}`,
      state: APPEND_ONLY,
    })),
  fc.bigInt({ min: 0n, max: 200n }).map((minor) => ({
    sql: `delete from ledger_transfers where account_id = $1::uuid and amount > ${minor}`,
    state: APPEND_ONLY,
  })),
  fc
    .tuple(badMinorArbitrary, ledgerAccountArbitrary)
    .map(([minor, to]) => ({ sql: insertTransfer(`(${minor})::bigint`, 'exchange', to), state: CHECK })),
  ledgerAccountArbitrary.map((name) => ({ sql: insertTransfer('1', name, name), state: CHECK })),
  fc.tuple(strangerArbitrary, ledgerAccountArbitrary, fc.boolean()).map(([stranger, known, first]) => ({
    sql: insertTransfer('1', first ? stranger : known, first ? known : stranger),
    state: CHECK,
  })),
  fc
    .tuple(ledgerAccountArbitrary, fc.bigInt({ min: 1n, max: 10n ** 18n }))
    .map(([name, minor]) => ({ sql: setBalance(name, `amount = -${minor}`), state: CHECK })),
  fc
    .constantFrom('held', 'suspense', 'payout_settlement')
    .map((name) => ({ sql: setBalance(name, 'may_go_below_zero = true, amount = -1'), state: CHECK })),
);

async function attack(tx: Tx, { sql }: Attack): Promise<string | undefined> {
  await tx.execute('savepoint before_attack');
  // Every attack is a text of its own, so it goes through a statement that takes the text as a value.
  const fault = await tx.execute('select run_attack($1::text, $2::uuid)', [sql, accountId]).catch((error) => error);
  await tx.execute('rollback to savepoint before_attack');
  return sqlState(fault);
}

const fingerprint = async () =>
  db.query<{ books: string }>(
    `select md5(concat((select string_agg(t::text, ' ' order by t::text) from ledger_transfers t),
       (select string_agg(b::text, ' ' order by b::text) from ledger_balances b))) as books`,
  );

it('random statements that would break the books are refused, each with its own SQLSTATE', async () => {
  await db.execute(
    `create function run_attack(sql text, account uuid) returns void language plpgsql as
     $$ begin execute sql using account; end $$`,
  );
  const before = await fingerprint();
  await fc.assert(
    fc.asyncProperty(fc.array(attackArbitrary, { minLength: ATTACKS_PER_RUN, maxLength: ATTACKS_PER_RUN }), (attacks) =>
      db.inTx(async (tx) => {
        for (const one of attacks) expect([one.sql, await attack(tx, one)]).toEqual([one.sql, one.state]);
      }),
    ),
    { numRuns: RUNS },
  );
  expect(await fingerprint()).toEqual(before);
});
