/** `ledger verify` about where money went in the end: sums that agree do not hide who got what. */
import { describe, expect, it } from 'vitest';
import {
  addTransaction,
  fund,
  makeBooks,
  type PlantedBooks,
  plantAttempt,
  plantTransfer,
  post,
} from '../../../test/operator/planted-books.ts';
import { freshDatabase } from '../../../test/support/database.ts';
import type { DifferenceKind } from './difference.ts';
import type { LedgerAmount } from './entry.ts';
import { verifyAccount } from './verify.ts';

const { db } = await freshDatabase();
const usd = (minor: bigint): LedgerAmount => ({ currency: 'USD', minor });
const ngn = (minor: bigint): LedgerAmount => ({ currency: 'NGN', minor });

async function kindsOf(accountId: string): Promise<DifferenceKind[]> {
  return (await verifyAccount(db, accountId)).map((difference) => difference.kind).sort();
}

/** A funded payout of 9.00 to each of the recipients, which are in these states. */
async function payoutTo({ accountId }: PlantedBooks, ...states: readonly string[]) {
  const parts = Object.fromEntries(states.map((state) => [state, 900n]));
  const paid = 900n * BigInt(states.length);
  const added = await addTransaction(db, accountId, { paid, parts });
  await fund(db, accountId, added.transactionId, paid);
  return added;
}

const OUTPUT = 1_350_000n;

async function paidAs(books: PlantedBooks, amounts: readonly LedgerAmount[]): Promise<void> {
  const { transactionId, recipients } = await payoutTo(books, 'success');
  await post(db, books.accountId, 'pay_out', amounts, transactionId, recipients[0]);
}

async function collectedAs(books: PlantedBooks, output: LedgerAmount) {
  const { accountId } = books;
  const { collection: transactionId } = books;
  const [row] = await db.query<{ recipient_id: string }>(
    `update recipients set state = 'success' where account_id = $1 and transaction_id = $2 returning recipient_id`,
    [accountId, transactionId],
  );
  await post(db, accountId, 'collected_exchanged', [usd(3_000n), output], transactionId, row?.recipient_id);
}

/** The payment is called returned, and posted so. */
async function givenBackAs({ accountId, collection }: PlantedBooks, taken: LedgerAmount): Promise<void> {
  await post(db, accountId, 'collection_returned_exchanged', [taken, usd(3_000n)], collection);
  await db.execute(
    `update payin_receipts r set resolution = 'returned', resolved_at = received_at, resolved_by = 'ada',
       resolution_reason = 'none', resolution_evidence = 'none', resolution_entry_id = t.entry_id
     from ledger_transfers t
     where r.account_id = $1 and t.account_id = $1 and t.entry = 'collection_returned_exchanged'`,
    [accountId],
  );
}

describe('right books', () => {
  it('are clean where a recipient was paid, and where one got more than was ordered', async () => {
    const books = await makeBooks(db);
    await paidAs(books, [usd(900n), ngn(OUTPUT)]);
    const { transactionId, recipients } = await payoutTo(books, 'overpaid');
    const [recipient = ''] = recipients;
    await plantAttempt(db, books.accountId, transactionId, recipient, 2n * OUTPUT);
    await post(db, books.accountId, 'pay_out', [usd(900n), ngn(OUTPUT)], transactionId, recipient);
    await post(db, books.accountId, 'overpaid_excess', [ngn(OUTPUT)], transactionId, recipient);
    expect(await kindsOf(books.accountId)).toEqual([]);
  });

  it('are clean while people have to decide about money that was paid', async () => {
    const books = await makeBooks(db);
    const { transactionId, recipients } = await payoutTo(books, 'exception');
    await plantAttempt(db, books.accountId, transactionId, recipients[0] ?? '', OUTPUT - 1n);
    expect(await kindsOf(books.accountId)).toEqual([]);
  });

  it('are clean where people have decided that a recipient got all of it', async () => {
    const books = await makeBooks(db);
    const { transactionId, recipients } = await payoutTo(books, 'success');
    await db.execute(
      `update payout_attempts set paid_amount = 5, decided_by = 'operator' where account_id = $1 and transaction_id = $2`,
      [books.accountId, transactionId],
    );
    await post(db, books.accountId, 'pay_out', [usd(900n), ngn(OUTPUT)], transactionId, recipients[0]);
    expect(await kindsOf(books.accountId)).toEqual([]);
  });

  it('are clean where a collection is in the balance, and where it went back to its payer', async () => {
    const books = await makeBooks(db);
    await collectedAs(books, ngn(4_500_000n));
    expect(await kindsOf(books.accountId)).toEqual([]);
    await givenBackAs(books, ngn(4_500_000n));
    expect(await kindsOf(books.accountId)).toEqual([]);
  });
});

/** Each row spoils right books in one way and names what must be found, and nothing else. */
const PLANTED: [string, (books: PlantedBooks) => Promise<unknown>, DifferenceKind[]][] = [
  [
    'a recipient called paid whose money went back',
    async (b) => {
      const { transactionId, recipients } = await payoutTo(b, 'success');
      await post(db, b.accountId, 'refund', [usd(900n)], transactionId, recipients[0]);
      await db.execute('delete from payout_attempts where account_id = $1 and transaction_id = $2', [
        b.accountId,
        transactionId,
      ]);
    },
    ['received_differs'],
  ],
  [
    'a recipient called refunded whose money was paid out',
    async (b) => {
      const { transactionId, recipients } = await payoutTo(b, 'refunded');
      await post(db, b.accountId, 'pay_out', [usd(900n), ngn(OUTPUT)], transactionId, recipients[0]);
    },
    ['received_differs'],
  ],
  [
    'a refunded recipient whose money is still held, beside a canceled one whose money is not',
    async (b) => {
      const { transactionId, recipients } = await payoutTo(b, 'refunded', 'canceled');
      await post(db, b.accountId, 'refund', [usd(900n)], transactionId, recipients[1]);
    },
    ['released_differs'],
  ],
  [
    'two recipients whose money left through the transaction of the other',
    async (b) => {
      const [one, other] = [await payoutTo(b, 'refunded'), await payoutTo(b, 'refunded')];
      await post(db, b.accountId, 'refund', [usd(900n)], one.transactionId, other.recipients[0]);
      await post(db, b.accountId, 'refund', [usd(900n)], other.transactionId, one.recipients[0]);
    },
    ['released_differs', 'released_differs'],
  ],
  ['a payment one unit short', (b) => paidAs(b, [usd(900n), ngn(OUTPUT - 1n)]), ['received_differs']],
  ['a payment one unit too much', (b) => paidAs(b, [usd(900n), ngn(OUTPUT + 1n)]), ['received_differs']],
  ['a payment in another currency', (b) => paidAs(b, [usd(900n), usd(OUTPUT)]), ['received_differs']],
  [
    'a second payment that nobody made',
    (b) =>
      plantTransfer(db, b.accountId, {
        ...{ entry: 'overpaid_excess', from: 'exchange', to: 'payout_settlement', currency: 'NGN', amount: 1n },
        ...{ transactionId: b.payout, recipientId: b.paid },
      }),
    ['received_differs'],
  ],
  [
    'an entry whose transfers belong to two recipients',
    async (b) => {
      const one = await payoutTo(b, 'success', 'canceled');
      const entry = { entry: 'pay_out', transactionId: one.transactionId };
      const entryId = '01999999-0000-7000-8000-000000000002';
      const [paid, canceled] = one.recipients;
      await plantTransfer(db, b.accountId, {
        ...{ ...entry, entryId, from: 'held', to: 'exchange', amount: 900n, recipientId: paid },
      });
      await plantTransfer(db, b.accountId, {
        ...{ ...entry, entryId, from: 'exchange', to: 'payout_settlement', amount: OUTPUT, currency: 'NGN' },
        recipientId: canceled,
      });
    },
    ['entry_differs', 'received_differs', 'received_differs'],
  ],
  ['a collection that brought less than it was worth', (b) => collectedAs(b, ngn(4_499_999n)), ['received_differs']],
  ['a collection in another currency', (b) => collectedAs(b, usd(4_500_000n)), ['received_differs']],
  [
    'a payout that was posted as collected',
    async (b) => {
      const { transactionId, recipients } = await payoutTo(b, 'canceled');
      await post(db, b.accountId, 'collected', [usd(900n)], transactionId, recipients[0]);
    },
    ['received_differs'],
  ],
  [
    'a payer who got everything back for less than was taken out of the balance',
    async (b) => {
      await collectedAs(b, ngn(4_500_000n));
      await givenBackAs(b, ngn(4_400_000n));
    },
    ['given_back_differs'],
  ],
];

describe('a difference is found', () => {
  it.each(PLANTED)('%s', async (_what, plant, expected) => {
    const books = await makeBooks(db);
    await plant(books);
    expect(await kindsOf(books.accountId)).toEqual(expected);
  });
});
