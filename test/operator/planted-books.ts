/**
 * The books of one account with money in every phase, and ways to spoil them in SQL. A planted transfer moves the
 * balances with it, so that only the check that it is meant for can find it.
 */
import type { Database } from '../../server/src/kernel/database.ts';
import { timeOrderedIds } from '../../server/src/kernel/ids.ts';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import type { EntryName, LEDGER_ACCOUNTS, LedgerAccount } from '../../server/src/ledger/chart.ts';
import { type LedgerAmount, makeEntry } from '../../server/src/ledger/entry.ts';
import { insertZeroBalances } from '../../server/src/ledger/store.ts';

const ids = timeOrderedIds();
/** Minor units of NGN for each of USD. */
const RATE = 1_500n;
const AT = new Date('2026-11-16T09:00:00.000Z');
const usd = (minor: bigint): LedgerAmount => ({ currency: 'USD', minor });
const ngn = (minor: bigint): LedgerAmount => ({ currency: 'NGN', minor });

export interface PlantedBooks {
  readonly accountId: string;
  /** Funded with 100.00: `paid` got 60.00 of it, `open` waits for 40.00. */
  readonly payout: string;
  readonly paid: string;
  readonly open: string;
  /** Funded with 25.00 and refunded. */
  readonly refunded: string;
  /** Never funded. */
  readonly unfunded: string;
  /** Received 30.00, which its recipient, the balance, has not got yet. */
  readonly collection: string;
}

export async function makeBooks(db: Database): Promise<PlantedBooks> {
  const accountId = ids.next();
  await db.execute(
    `insert into accounts (account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation, same_currency,
       created_at, updated_at)
     values ($1, 'Planted', true, 'waived', false, false, false, '{}', $2, $2)`,
    [accountId, AT],
  );
  await post(db, accountId, 'top_up', [usd(100_000n)]);
  const payout = await addTransaction(db, accountId, { paid: 10_000n, parts: { success: 6_000n, pending: 4_000n } });
  await fund(db, accountId, payout.transactionId, 10_000n);
  const [paid = '', open = ''] = payout.recipients;
  await post(db, accountId, 'pay_out', [usd(6_000n), ngn(9_000_000n)], payout.transactionId, paid);
  const refunded = await addTransaction(db, accountId, { paid: 2_500n, parts: { refunded: 2_500n } });
  await fund(db, accountId, refunded.transactionId, 2_500n);
  await post(db, accountId, 'refund', [usd(2_500n)], refunded.transactionId, refunded.recipients[0]);
  const unfunded = await addTransaction(db, accountId, { paid: 0n, parts: { initial: 700n } });
  const collection = await addTransaction(db, accountId, { paid: 3_000n, parts: { initial: 3_000n }, collects: true });
  await post(db, accountId, 'payin_received', [usd(3_000n)], collection.transactionId);
  await plantReceipts(db, accountId);
  return {
    accountId,
    payout: payout.transactionId,
    paid,
    open,
    refunded: refunded.transactionId,
    unfunded: unfunded.transactionId,
    collection: collection.transactionId,
  };
}

interface NewTransaction {
  readonly paid: bigint;
  /** Input amount of each recipient, by its state. */
  readonly parts: Readonly<Record<string, bigint>>;
  readonly collects?: boolean;
}

export async function addTransaction(
  db: Database,
  accountId: string,
  { paid, parts, collects = false }: NewTransaction,
) {
  const transactionId = ids.next();
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0n);
  await db.execute(
    `insert into transactions (account_id, transaction_id, sender_id, state, input_currency, input_amount, paid_amount,
       is_collection, auto_refund, account_validation, metadata, event_count, created_at, expires_at, funded_at)
     values ($1, $2, $2, 'received', 'USD', $3, $4, $5, true, false, '{}', 0, $6, $6, $7)`,
    [accountId, transactionId, total, paid, collects, AT, paid > 0n ? AT : null],
  );
  const recipients: string[] = [];
  for (const [position, [state, part]] of Object.entries(parts).entries()) {
    const recipientId = ids.next();
    await db.execute(
      `insert into recipients (account_id, recipient_id, transaction_id, position, type, state, requested_amount,
         requested_currency, input_amount, input_currency, output_amount, output_currency, rate, payout_method_id,
         payout_type, payout_details, payout_metadata, metadata, event_count, created_at)
       values ($1, $2, $3, $4, 'person', $5, $6, 'USD', $6, 'USD', $8, 'NGN', '1500/1', $2, 'NGN::Bank', '{}', '{}',
         '{}', 0, $7)`,
      [accountId, recipientId, transactionId, position, state, part, AT, part * RATE],
    );
    if (state === 'success' && !collects) await plantAttempt(db, accountId, transactionId, recipientId, part * RATE);
    recipients.push(recipientId);
  }
  return { transactionId, recipients };
}

/** An attempt by which the recipient got the money. */
export async function plantAttempt(
  db: Database,
  accountId: string,
  transactionId: string,
  recipientId: string,
  paid: bigint,
): Promise<void> {
  await db.execute(
    `insert into payout_attempts (account_id, attempt_id, transaction_id, recipient_id, number, provider, details,
       started_at, outcome, paid_amount, decided_by, ended_at)
     values ($1, $2, $3, $4, 1, 'planted', '{}', $6, 'paid', $5, 'provider', $6)`,
    [accountId, ids.next(), transactionId, recipientId, paid, AT],
  );
}

export async function fund(db: Database, accountId: string, transactionId: string, minor: bigint): Promise<void> {
  await post(db, accountId, 'fund', [usd(minor)], transactionId);
  await plantDebit(db, accountId, transactionId, minor);
}

export async function plantDebit(db: Database, accountId: string, transactionId: string, minor: bigint): Promise<void> {
  await db.execute(
    `insert into debits (account_id, debit_id, transaction_id, amount, currency, running_balance, metadata, created_at)
     values ($1, $2, $3, $4, 'USD', 0, '{}', $5)`,
    [accountId, ids.next(), transactionId, minor, AT],
  );
}

/** The payments behind the payins that were posted. */
async function plantReceipts(db: Database, accountId: string): Promise<void> {
  await db.execute(
    `insert into payin_receipts (account_id, receipt_id, transaction_id, payin_method_id, provider, payment_reference,
       currency, amount, place, reason, entry_id, received_at)
     select t.account_id, t.transfer_id, t.transaction_id, t.transaction_id, 'payer', t.transfer_id::text, t.currency,
       t.amount, t.to_account, case when t.to_account = 'held' then 'expected' else 'late' end, t.entry_id, t.posted_at
     from ledger_transfers t
     where t.account_id = $1 and t.entry in ('payin_received', 'late_payin')`,
    [accountId],
  );
}

/** Posts an entry the right way. */
export async function post(
  db: Database,
  accountId: string,
  entry: EntryName,
  amounts: readonly LedgerAmount[],
  transactionId?: string,
  recipientId?: string,
): Promise<void> {
  await db.inTx(async (tx) => {
    const currencies = [...new Set(amounts.map((amount) => amount.currency))];
    const names: LedgerAccount[] = ['balance', 'held', 'exchange', 'payout_settlement', 'payin_settlement', 'treasury'];
    const keys = currencies.flatMap((currency) =>
      names.map((ledgerAccount) => ({ accountId, currency, ledgerAccount })),
    );
    const book = await openBook(tx, keys);
    const of = { ...(transactionId ? { transactionId } : {}), ...(recipientId ? { recipientId } : {}) };
    book.post(makeEntry(ids, entry, { accountId, postedAt: AT, amounts, ...of }));
    await writeBook(tx, book);
  });
}

interface PlantedTransfer {
  readonly entry: string;
  readonly from: keyof typeof LEDGER_ACCOUNTS;
  readonly to: keyof typeof LEDGER_ACCOUNTS;
  readonly amount: bigint;
  readonly currency?: string;
  readonly entryId?: string;
  readonly transactionId?: string | undefined;
  readonly recipientId?: string | undefined;
}

export async function plantTransfer(db: Database, accountId: string, transfer: PlantedTransfer): Promise<void> {
  const { entry, from, to, amount, currency = 'USD' } = transfer;
  await db.execute(
    `insert into ledger_transfers (account_id, transfer_id, entry_id, entry, currency, from_account, to_account, amount,
       transaction_id, recipient_id, posted_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      accountId,
      ids.next(),
      transfer.entryId ?? ids.next(),
      entry,
      currency,
      from,
      to,
      amount,
      transfer.transactionId ?? null,
      transfer.recipientId ?? null,
      AT,
    ],
  );
  const sides = [from, to].map((ledgerAccount) => ({ accountId, currency, ledgerAccount }));
  await db.inTx((tx) => insertZeroBalances(tx, sides));
  for (const [ledgerAccount, change] of [
    [from, -amount],
    [to, amount],
  ] as const) {
    await db.execute(
      `update ledger_balances set amount = amount + $4
       where account_id = $1 and currency = $2 and ledger_account = $3`,
      [accountId, currency, ledgerAccount, change],
    );
  }
}
