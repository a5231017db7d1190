/** `ledger verify`: right books are clean, and every kind of difference that is planted behind their back is found. */
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  addTransaction,
  fund,
  makeBooks,
  type PlantedBooks,
  plantDebit,
  plantTransfer,
  post,
} from '../../../test/operator/planted-books.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { Database } from '../kernel/database.ts';
import { STATES } from '../recipients/states.ts';
import { openPg } from '../storage/pg.ts';
import {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  RECIPIENTS_HOLDING,
  RECIPIENTS_RELEASED,
  RECIPIENTS_UNDECIDED,
} from './difference.ts';
import { MAX_DIFFERENCES, verifyAccount, verifyLedger } from './verify.ts';

const { db, url } = await freshDatabase();

async function kindsOf(accountId: string): Promise<DifferenceKind[]> {
  return (await verifyAccount(db, accountId)).map((difference) => difference.kind).sort();
}

/** Each row spoils right books in one way and names what must be found, and nothing else. */
const PLANTED: [string, (books: PlantedBooks) => Promise<unknown>, DifferenceKind[]][] = [
  ['a balance one cent off', (b) => spoil(b, 'amount = amount + 1', 'balance'), ['balance_differs']],
  ['a held balance one cent off', (b) => spoil(b, 'amount = amount - 1', 'held'), ['balance_differs']],
  [
    'a balance row that is gone',
    (b) =>
      db.execute(`delete from ledger_balances where account_id = $1 and ledger_account = 'treasury'`, [b.accountId]),
    ['balance_missing'],
  ],
  [
    'a permission to overdraw that the account does not have',
    (b) => spoil(b, 'may_go_below_zero = true', 'balance'),
    ['permission_differs'],
  ],
  [
    'an overdraft',
    async (b) => {
      await spoil(b, 'may_go_below_zero = true', 'balance');
      await plantTransfer(db, b.accountId, { entry: 'take_out', from: 'balance', to: 'treasury', amount: 10n ** 6n });
    },
    ['below_zero', 'permission_differs'],
  ],
  [
    'an entry that the chart does not know',
    (b) => plantTransfer(db, b.accountId, { entry: 'gift', from: 'treasury', to: 'balance', amount: 5n }),
    ['entry_differs'],
  ],
  [
    'an entry between the wrong accounts',
    (b) => plantTransfer(db, b.accountId, { entry: 'top_up', from: 'exchange', to: 'balance', amount: 5n }),
    ['entry_differs'],
  ],
  [
    'an entry of two transfers with one of them missing',
    (b) => plantTransfer(db, b.accountId, { entry: 'pay_out', from: 'exchange', to: 'payout_settlement', amount: 5n }),
    ['entry_differs'],
  ],
  [
    'an entry with a transfer too many',
    async (b) => {
      const entryId = '01999999-0000-7000-8000-000000000001';
      const transfer = { entry: 'top_up', from: 'treasury', to: 'balance', amount: 5n, entryId } as const;
      await plantTransfer(db, b.accountId, transfer);
      await plantTransfer(db, b.accountId, transfer);
    },
    ['entry_differs'],
  ],
  [
    'money that left held for no transaction',
    (b) => plantTransfer(db, b.accountId, { entry: 'refund', from: 'held', to: 'balance', amount: 5n }),
    ['held_of_nobody'],
  ],
  [
    'money that left held for a transaction that does not exist',
    (b) => plantTransfer(db, b.accountId, { ...refund(5n), transactionId: '01999999-0000-7000-8000-00000000dead' }),
    ['held_of_nobody'],
  ],
  [
    'money that came into held in another currency than the transaction has',
    (b) =>
      plantTransfer(db, b.accountId, {
        entry: 'payin_received',
        from: 'payin_settlement',
        to: 'held',
        amount: 5n,
        currency: 'NGN',
        transactionId: b.payout,
      }),
    ['held_of_nobody', 'receipt_differs'],
  ],
  [
    'a recipient called paid for whom nothing was posted',
    (b) => setState(b, b.open, 'success'),
    ['held_differs', 'received_differs', 'released_differs'],
  ],
  [
    'a recipient called refunded for whom nothing was posted',
    (b) => setState(b, b.open, 'refunded'),
    ['held_differs', 'released_differs'],
  ],
  ['a paid recipient called open again', (b) => setState(b, b.paid, 'manual'), ['held_differs', 'released_differs']],
  [
    'a paid recipient refunded as well',
    (b) => plantTransfer(db, b.accountId, { ...refund(4_000n), transactionId: b.payout, recipientId: b.paid }),
    ['held_differs', 'released_differs'],
  ],
  [
    'a part of its money given back to an open recipient',
    (b) => plantTransfer(db, b.accountId, { ...refund(1n), transactionId: b.payout, recipientId: b.open }),
    ['held_differs', 'released_differs'],
  ],
  [
    'a paid amount that nobody paid',
    (b) => db.execute('update transactions set paid_amount = 1 where transaction_id = $1', [b.unfunded]),
    ['paid_amount_differs'],
  ],
  [
    'a collection whose money is not there',
    (b) => db.execute('update transactions set paid_amount = 0 where transaction_id = $1', [b.collection]),
    ['held_differs', 'paid_amount_differs'],
  ],
  [
    'money held for a transaction that was not funded',
    (b) => db.execute('update transactions set funded_at = null where transaction_id = $1', [b.payout]),
    ['held_differs'],
  ],
  [
    'a payment that is called another amount than was posted',
    (b) => db.execute('update payin_receipts set amount = amount + 1 where account_id = $1', [b.accountId]),
    ['receipt_differs'],
  ],
  [
    'a payment that is in another place than it is said to be',
    (b) =>
      db.execute(`update payin_receipts set place = 'suspense', reason = 'late' where account_id = $1`, [b.accountId]),
    ['receipt_differs', 'suspense_differs'],
  ],
  [
    'money in suspense that nobody sent',
    (b) => plantTransfer(db, b.accountId, { ...late(5n), transactionId: b.collection }),
    ['receipt_differs', 'suspense_differs'],
  ],
  ['a debit without its entry', (b) => plantDebit(db, b.accountId, b.unfunded, 700n), ['debit_differs']],
  [
    'a second funding entry behind one debit',
    (b) =>
      plantTransfer(db, b.accountId, {
        entry: 'fund',
        from: 'balance',
        to: 'held',
        amount: 4_000n,
        transactionId: b.payout,
      }),
    ['debit_differs', 'held_differs', 'paid_amount_differs'],
  ],
  [
    'a return to a payer that nobody decided',
    (b) =>
      plantTransfer(db, b.accountId, {
        entry: 'collection_returned',
        from: 'balance',
        to: 'payin_settlement',
        amount: 5n,
      }),
    ['given_back_differs', 'resolution_differs'],
  ],
  [
    'a payment that is called returned while nothing was posted',
    (b) =>
      db.execute(
        `update payin_receipts set resolution = 'returned', resolved_at = received_at, resolved_by = 'ada',
           resolution_reason = 'none', resolution_evidence = 'none', resolution_entry_id = entry_id
         where account_id = $1`,
        [b.accountId],
      ),
    ['resolution_differs'],
  ],
];

function late(amount: bigint) {
  return { entry: 'late_payin', from: 'payin_settlement', to: 'suspense', amount } as const;
}

function refund(amount: bigint) {
  return { entry: 'refund', from: 'held', to: 'balance', amount } as const;
}

function spoil({ accountId }: PlantedBooks, change: string, ledgerAccount: string) {
  return db.execute(
    `update ledger_balances set ${change} where account_id = $1 and currency = 'USD' and ledger_account = $2`,
    [accountId, ledgerAccount],
  );
}

function setState(books: PlantedBooks, recipientId: string, state: string) {
  return db.execute('update recipients set state = $3 where account_id = $1 and recipient_id = $2', [
    books.accountId,
    recipientId,
    state,
  ]);
}

describe('right books', () => {
  it('are clean, with money in every phase', async () => {
    expect(await kindsOf((await makeBooks(db)).accountId)).toEqual([]);
  });

  it.each(RECIPIENTS_UNDECIDED)('are clean with a recipient in %s, its money held or gone back', async (state) => {
    const { accountId } = await makeBooks(db);
    const { transactionId, recipients } = await addTransaction(db, accountId, { paid: 900n, parts: { [state]: 900n } });
    await fund(db, accountId, transactionId, 900n);
    expect(await kindsOf(accountId)).toEqual([]);
    await post(db, accountId, 'refund', [{ currency: 'USD', minor: 900n }], transactionId, recipients[0]);
    expect(await kindsOf(accountId)).toEqual([]);
  });

  it('are clean where an account may overdraw and does', async () => {
    const { accountId } = await makeBooks(db);
    await db.execute('update accounts set negative_balance = true where account_id = $1', [accountId]);
    await db.execute(
      `update ledger_balances set may_go_below_zero = true where account_id = $1 and ledger_account = 'balance'`,
      [accountId],
    );
    await post(db, accountId, 'take_out', [{ currency: 'USD', minor: 10n ** 9n }]);
    expect(await kindsOf(accountId)).toEqual([]);
  });
});

it('books that are written to while they are checked are clean all the same', async () => {
  const { accountId } = await makeBooks(db);
  let isPosting = true;
  const posting = (async () => {
    while (isPosting) await post(db, accountId, 'top_up', [{ currency: 'USD', minor: 1n }]);
  })();
  for (let count = 0; count < 20; count += 1) expect(await kindsOf(accountId)).toEqual([]);
  isPosting = false;
  await posting;
});

it('books of any size are compared by joins of everything at once', async () => {
  const { accountId } = await makeBooks(db);
  const settings = new Set<string>();
  const watched: Database = {
    ...db,
    inTx: (work, options) =>
      db.inTx(async (tx) => {
        const query: typeof tx.query = async (text, values) => {
          const [row] = await tx.query<{ enable_nestloop: string }>('show enable_nestloop');
          settings.add(row?.enable_nestloop ?? '');
          return tx.query(text, values);
        };
        return work({ ...tx, query });
      }, options),
  };
  expect(await verifyAccount(watched, accountId)).toEqual([]);
  expect([...settings]).toEqual(['off']);
});

describe('a difference is found', () => {
  it.each(PLANTED)('%s', async (_what, plant, expected) => {
    const books = await makeBooks(db);
    await plant(books);
    expect(await kindsOf(books.accountId)).toEqual(expected);
  });

  it('in the report with its place, what was expected and what was found', async () => {
    const books = await makeBooks(db);
    const { accountId, payout, open } = books;
    await setState(books, open, 'success');
    expect(await verifyAccount(db, accountId)).toEqual([
      { kind: 'held_differs', accountId, where: payout, expected: '0', found: '4000' },
      { kind: 'released_differs', accountId, where: open, expected: '4000, and no longer open', found: '0, success' },
      { kind: 'received_differs', accountId, where: open, expected: '0 NGN, success', found: '0' },
    ]);
  });

  it('by some row above, for every kind that there is', () => {
    const planted = new Set(PLANTED.flatMap(([, , kinds]) => kinds));
    expect([...planted, 'account_unknown'].sort()).toEqual(Object.keys(DIFFERENCE_KINDS).sort());
  });
});

describe('the whole ledger', async () => {
  const whole = await freshDatabase();

  it('is checked account by account, and the books of nobody are found too', async () => {
    const books = await makeBooks(whole.db);
    for (let count = 0; count < 3; count += 1) await makeBooks(whole.db);
    expect(await verifyLedger(whole.db)).toEqual({ accountsChecked: 4, differences: [], isComplete: true });
    await whole.db.execute('delete from accounts where account_id = $1', [books.accountId]);
    const report = await verifyLedger(whole.db);
    expect(report).toMatchObject({ accountsChecked: 3, isComplete: true });
    expect(report.differences).toMatchObject([{ kind: 'account_unknown', accountId: books.accountId }]);
  });

  it('is reported up to a bound', async () => {
    const { accountId } = await makeBooks(whole.db);
    await whole.db.execute(
      `insert into ledger_balances (account_id, currency, ledger_account, amount, may_go_below_zero)
       select $1::uuid, 'X' || n, 'held', 5, false from generate_series(1, $2::integer) n`,
      [accountId, MAX_DIFFERENCES + 1],
    );
    const report = await verifyLedger(whole.db);
    expect(report.isComplete).toBe(false);
    expect(report.differences).toHaveLength(MAX_DIFFERENCES);
  });
});

it('every state of a recipient is in exactly one of the three lists', () => {
  const listed = [...RECIPIENTS_HOLDING, ...RECIPIENTS_UNDECIDED, ...RECIPIENTS_RELEASED];
  expect([...listed].sort()).toEqual(STATES.map((row) => row.state).sort());
});

it('may take longer than a statement of a call', async () => {
  const { accountId } = await makeBooks(db);
  const hasty = openPg({ url, poolSize: 1, statementTimeoutMs: 250 });
  onTestFinished(() => hasty.close());
  const slow: Database = {
    ...hasty,
    inTx: (work, options) =>
      hasty.inTx(async (tx) => {
        const result = await work(tx);
        await tx.execute('select pg_sleep(0.5)');
        return result;
      }, options),
  };
  expect(await verifyAccount(slow, accountId)).toEqual([]);
});
