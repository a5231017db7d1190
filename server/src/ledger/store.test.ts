import { describe, expect, it } from 'vitest';
import { ids, makeAccount, NOON } from '../../../test/ledger/make-account.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import { BrokenInvariant } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { BalancesMoved, Book, openBook, readBook, writeBook } from './book.ts';
import { LEDGER_ACCOUNTS, type LedgerAccount, mayGoBelowZero } from './chart.ts';
import { makeEntry, type Transfer } from './entry.ts';
import { type BalanceKey, insertTransfers, insertZeroBalances, lockBalances } from './store.ts';

const { db } = await freshDatabase();

const key = (accountId: string, ledgerAccount: BalanceKey['ledgerAccount'], currency = 'USD'): BalanceKey => ({
  accountId,
  currency,
  ledgerAccount,
});

const topUp = (accountId: string, minor: bigint) =>
  makeEntry(ids, 'top_up', { accountId, postedAt: NOON, amounts: [{ currency: 'USD', minor }] });

async function credit(tx: Tx, accountId: string, minor: bigint): Promise<void> {
  const book = await openBook(tx, [key(accountId, 'treasury'), key(accountId, 'balance')]);
  book.post(topUp(accountId, minor));
  await writeBook(tx, book);
}

interface ReadBalance {
  currency: string;
  ledgerAccount: LedgerAccount;
  amount: bigint;
  mayGoBelowZero: boolean;
}

const readBalances = (tx: Tx, accountId: string) =>
  tx.query<ReadBalance>(
    `select currency, ledger_account as "ledgerAccount", amount, may_go_below_zero as "mayGoBelowZero"
     from ledger_balances where account_id = $1::uuid order by currency, ledger_account`,
    [accountId],
  );

const balanceOf = async (accountId: string) =>
  (await db.inTx((tx) => readBalances(tx, accountId))).find((row) => row.ledgerAccount === 'balance')?.amount;

describe('a missing balance row', () => {
  it.each([true, false])('is added as the chart says for negative_balance %s', async (negativeBalance) => {
    const accountId = await makeAccount(db, { negativeBalance });
    const rows = await db.inTx(async (tx) => {
      await tx.execute(
        `insert into ledger_balances (account_id, currency, ledger_account, amount, may_go_below_zero)
         values ($1::uuid, 'EUR', 'held', 7, false)`,
        [accountId],
      );
      for (const name of ['USD', 'EUR']) {
        await insertZeroBalances(
          tx,
          (
            ['balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury', 'suspense'] as const
          ).map((ledgerAccount) => key(accountId, ledgerAccount, name)),
        );
      }
      return readBalances(tx, accountId);
    });
    expect(rows).toHaveLength(2 * Object.keys(LEDGER_ACCOUNTS).length);
    for (const row of rows) expect(row.mayGoBelowZero).toBe(mayGoBelowZero(row.ledgerAccount, negativeBalance));
    // A row that was there keeps its money.
    expect(rows.filter((row) => row.amount !== 0n)).toMatchObject([{ currency: 'EUR', amount: 7n }]);
  });

  it('is added when a book is opened, and locked with the others', async () => {
    const accountId = await makeAccount(db);
    await db.inTx((tx) => credit(tx, accountId, 500n));
    await db.inTx(async (tx) => {
      const book = await openBook(tx, [key(accountId, 'held'), key(accountId, 'balance'), key(accountId, 'held')]);
      expect(book.amount(accountId, 'USD', 'balance')).toBe(500n);
      expect(book.amount(accountId, 'USD', 'held')).toBe(0n);
    });
  });

  it('cannot be added for an account that does not exist', async () => {
    const stranger = ids.next();
    await db.inTx(async (tx) => {
      const book = await openBook(tx, [key(stranger, 'balance')]);
      expect(() => book.amount(stranger, 'USD', 'balance')).toThrow(BrokenInvariant);
      await expect(insertTransfers(tx, topUp(stranger, 1n))).rejects.toThrow('every row was added to ledger_transfers');
    });
  });
});

describe('locked balances', () => {
  it('come in one fixed order, what tenants own first, whatever order they are asked for in', async () => {
    const [a = '', b = ''] = [await makeAccount(db), await makeAccount(db)].sort();
    const keys = [a, b].flatMap((id) => [key(id, 'treasury'), key(id, 'balance', 'USD'), key(id, 'balance', 'EUR')]);
    await db.inTx(async (tx) => {
      await openBook(tx, keys);
      const forward = await lockBalances(tx, keys);
      const backward = await lockBalances(tx, [...keys].reverse());
      expect(backward).toEqual(forward);
      expect(forward.map((row) => [row.accountId, row.currency, row.ledgerAccount])).toEqual([
        [a, 'EUR', 'balance'],
        [a, 'USD', 'balance'],
        [b, 'EUR', 'balance'],
        [b, 'USD', 'balance'],
        [a, 'USD', 'treasury'],
        [b, 'USD', 'treasury'],
      ]);
    });
  });

  it('are out of reach for every other transaction until the commit', async () => {
    const accountId = await makeAccount(db);
    await db.inTx((tx) => credit(tx, accountId, 1n));
    await db.inTx(async (tx) => {
      await openBook(tx, [key(accountId, 'balance')]);
      const other = db.query(
        `select amount from ledger_balances
         where account_id = $1::uuid and ledger_account = 'balance'
         for update nowait`,
        [accountId],
      );
      await expect(other).rejects.toMatchObject({ code: '55P03' });
    });
  });

  it('show what another transaction left behind while this one waited', async () => {
    const accountId = await makeAccount(db);
    await db.inTx((tx) => credit(tx, accountId, 1n));
    const TRANSACTIONS = 40;
    await Promise.all(Array.from({ length: TRANSACTIONS }, () => db.inTx((tx) => credit(tx, accountId, 25n))));
    expect(await balanceOf(accountId)).toBe(1n + 25n * BigInt(TRANSACTIONS));
  });

  it('are right too when many transactions add the same missing rows at once', async () => {
    const accountId = await makeAccount(db);
    const TRANSACTIONS = 20;
    await Promise.all(Array.from({ length: TRANSACTIONS }, () => db.inTx((tx) => credit(tx, accountId, 3n))));
    expect(await balanceOf(accountId)).toBe(3n * BigInt(TRANSACTIONS));
  });
});

describe('balances that no decision depends on', () => {
  const FUNDED = 100n;
  const fund = (accountId: string, minor: bigint) =>
    makeEntry(ids, 'fund', { accountId, postedAt: NOON, amounts: [{ currency: 'USD', minor }] });
  const payOut = (accountId: string, minor: bigint) =>
    makeEntry(ids, 'pay_out', {
      accountId,
      postedAt: NOON,
      amounts: [
        { currency: 'USD', minor },
        { currency: 'NGN', minor },
      ],
    });
  const heldAccount = async () => {
    const accountId = await makeAccount(db);
    await db.inTx(async (tx) => {
      await credit(tx, accountId, FUNDED);
      await post(tx, fund(accountId, FUNDED));
    });
    return accountId;
  };
  const post = async (tx: Tx, transfers: readonly Transfer[]) => {
    const book = new Book([]);
    book.post(transfers);
    await writeBook(tx, book);
  };
  const amountsOf = async (accountId: string) =>
    Object.fromEntries(
      (await db.inTx((tx) => readBalances(tx, accountId))).map((row) => [
        `${row.currency} ${row.ledgerAccount}`,
        row.amount,
      ]),
    );

  it('are added to by writing, and those that are missing begin then', async () => {
    const accountId = await heldAccount();
    await db.inTx((tx) => post(tx, payOut(accountId, 30n)));
    expect(await amountsOf(accountId)).toEqual({
      'USD treasury': -FUNDED,
      'USD balance': 0n,
      'USD held': FUNDED - 30n,
      'USD exchange': 30n,
      'NGN exchange': -30n,
      'NGN payout_settlement': 30n,
    });
  });

  it('are right when many transactions write at once, also where all of them add the first money', async () => {
    const accountId = await heldAccount();
    await Promise.all(Array.from({ length: 20 }, () => db.inTx((tx) => post(tx, payOut(accountId, 3n)))));
    expect(await amountsOf(accountId)).toMatchObject({
      'USD held': FUNDED - 60n,
      'USD exchange': 60n,
      'NGN payout_settlement': 60n,
    });
  });

  it('cannot be overdrawn: the database refuses', async () => {
    const accountId = await heldAccount();
    const tooMuch = db.inTx((tx) => post(tx, payOut(accountId, FUNDED + 1n)));
    await expect(tooMuch).rejects.toMatchObject({ code: '23514' });
    expect(await amountsOf(accountId)).toMatchObject({ 'USD held': FUNDED });
  });

  it('are not locked while the batch is still being decided', async () => {
    const accountId = await heldAccount();
    await db.inTx(async (tx) => {
      const book = await openBook(tx, [key(accountId, 'balance')]);
      book.post(makeEntry(ids, 'refund', { accountId, postedAt: NOON, amounts: [{ currency: 'USD', minor: 10n }] }));
      // Somebody else pays from what is held meanwhile.
      await db.inTx((other) => post(other, payOut(accountId, 30n)));
      await writeBook(tx, book);
    });
    expect(await amountsOf(accountId)).toMatchObject({ 'USD held': FUNDED - 40n, 'USD balance': 10n });
  });
});

describe('a book that was only read', () => {
  const fund = (accountId: string, minor: bigint) =>
    makeEntry(ids, 'fund', { accountId, postedAt: NOON, amounts: [{ currency: 'USD', minor }] });
  const fundFrom = (accountId: string, minor: bigint, open: typeof openBook) =>
    db.inTx(async (tx) => {
      const book = await open(tx, [key(accountId, 'balance')]);
      book.post(fund(accountId, minor));
      await writeBook(tx, book);
    });
  /** With a row for what is held, in which one minor unit is. */
  const accountWith = async (minor: bigint) => {
    const accountId = await makeAccount(db);
    await db.inTx((tx) => credit(tx, accountId, minor + 1n));
    await fundFrom(accountId, 1n, openBook);
    return accountId;
  };
  /** Somebody else takes that much between reading and writing. */
  const fundWhile = (accountId: string, minor: bigint, othersTake: bigint) =>
    fundFrom(accountId, minor, async (tx, keys) => {
      const book = await readBook(tx, keys);
      await fundFrom(accountId, othersTake, openBook);
      return book;
    });
  const amountsOf = async (accountId: string) =>
    (await db.inTx((tx) => readBalances(tx, accountId))).map(({ ledgerAccount, amount }) => [ledgerAccount, amount]);

  it('takes from what others have left', async () => {
    const accountId = await accountWith(100n);
    await fundWhile(accountId, 60n, 40n);
    expect(await amountsOf(accountId)).toEqual([
      ['balance', 0n],
      ['held', 101n],
      ['treasury', -101n],
    ]);
  });

  it('is not written where others have left too little', async () => {
    const accountId = await accountWith(100n);
    await expect(fundWhile(accountId, 60n, 41n)).rejects.toThrow(BalancesMoved);
    expect(await amountsOf(accountId)).toEqual([
      ['balance', 59n],
      ['held', 42n],
      ['treasury', -101n],
    ]);
  });

  it('is not written where money would go to a row that is not there', async () => {
    const accountId = await makeAccount(db);
    await db.inTx((tx) => credit(tx, accountId, 100n));
    await expect(fundFrom(accountId, 60n, readBook)).rejects.toThrow(BalancesMoved);
    expect(await amountsOf(accountId)).toEqual([
      ['balance', 100n],
      ['treasury', -100n],
    ]);
  });

  it('holds up nobody until it is written', async () => {
    const accountId = await accountWith(100n);
    await Promise.all(Array.from({ length: 20 }, () => fundFrom(accountId, 5n, readBook)));
    expect(await balanceOf(accountId)).toBe(0n);
  });
});

describe('a book that is written', () => {
  it('without entries asks nothing of the database', async () => {
    const refuseAll = { isTx: true, query: fail, execute: fail } as const;
    await writeBook(refuseAll, await openBook(refuseAll, []));
  });

  it('leaves nothing behind when its transaction fails afterwards', async () => {
    const accountId = await makeAccount(db);
    const failed = db.inTx(async (tx) => {
      await credit(tx, accountId, 10n);
      throw new Error('something else went wrong');
    });
    await expect(failed).rejects.toThrow('something else went wrong');
    expect(await db.inTx((tx) => readBalances(tx, accountId))).toEqual([]);
  });

  it('is refused as a whole when one of its transfers is there already', async () => {
    const accountId = await makeAccount(db);
    const transfers = topUp(accountId, 10n);
    const write = () =>
      db.inTx(async (tx) => {
        const book = await openBook(tx, [key(accountId, 'treasury'), key(accountId, 'balance')]);
        book.post(transfers);
        await writeBook(tx, book);
      });
    await write();
    await expect(write()).rejects.toMatchObject({ code: '23505' });
    expect(await balanceOf(accountId)).toBe(10n);
  });
});

function fail(): Promise<never> {
  throw new Error('no statement was expected');
}
