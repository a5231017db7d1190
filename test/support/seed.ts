/**
 * Rows for tests and benchmarks that begin at funding: an account with balances, an approved sender, and transactions
 * that wait for their money. Everything is valid and small; what matters to a test is passed in.
 */
import { assert } from '../../server/src/kernel/assert.ts';
import type { Database } from '../../server/src/kernel/database.ts';
import type { Ids } from '../../server/src/kernel/ids.ts';
import { openBook, writeBook } from '../../server/src/ledger/book.ts';
import { makeEntry } from '../../server/src/ledger/entry.ts';
import type { CurrencyCode } from '../../server/src/money/currencies.ts';
import { NOT_TRIED, type Recipient } from '../../server/src/recipients/recipient.ts';
import { insertRecipients } from '../../server/src/recipients/store.ts';
import { insertTransactions } from '../../server/src/transactions/store.ts';
import type { Transaction } from '../../server/src/transactions/transaction.ts';

export interface SeededAccount {
  readonly accountId: string;
  readonly senderId: string;
}

const HOUR_MS = 3_600_000;

/** A new account that owns the given minor units of each currency. */
export async function seedAccount(
  db: Database,
  ids: Ids,
  options: { now: Date; balances: Partial<Record<CurrencyCode, bigint>> },
): Promise<SeededAccount> {
  const accountId = ids.next();
  const senderId = ids.next();
  await db.inTx(async (tx) => {
    await tx.execute(
      `insert into accounts (account_id, name, full_kyc, kyc, wtr2, negative_balance, account_validation,
         same_currency, created_at, updated_at)
       values ($1::uuid, 'Seeded', true, 'waived', false, false, false, '{}', $2, $2)`,
      [accountId, options.now],
    );
    await tx.execute(
      `insert into senders (account_id, sender_id, type, state, details, metadata, event_count, created_at, updated_at)
       values ($1::uuid, $2::uuid, 'person', 'approved', $3::json, '{}', 0, $4, $4)`,
      [accountId, senderId, JSON.stringify({ first_name: 'Ada', last_name: 'Example', country: 'GB' }), options.now],
    );
    const balances = Object.entries(options.balances).filter(([, minor]) => minor > 0n);
    const book = await openBook(
      tx,
      balances.flatMap(([currency]) => [
        { accountId, currency, ledgerAccount: 'treasury' as const },
        { accountId, currency, ledgerAccount: 'balance' as const },
      ]),
    );
    for (const [currency, minor] of balances) {
      book.post(makeEntry(ids, 'top_up', { accountId, postedAt: options.now, amounts: [{ currency, minor }] }));
    }
    await writeBook(tx, book);
  });
  return { accountId, senderId };
}

/** Approved transactions of one recipient each, in USD to NGN, that may be funded for the next hour. */
export async function seedTransactions(
  db: Database,
  ids: Ids,
  account: SeededAccount,
  options: { now: Date; count: number; inputMinor: bigint },
): Promise<string[]> {
  assert(options.count <= 10_000, 'seed in portions');
  const transactions = Array.from({ length: options.count }, () => makeTransaction(ids, account, options));
  const recipients = transactions.map((transaction) => makeRecipient(ids, transaction));
  await db.inTx(async (tx) => {
    await insertTransactions(tx, transactions);
    await insertRecipients(tx, recipients);
  });
  return transactions.map((transaction) => transaction.transactionId);
}

function makeTransaction(
  ids: Ids,
  account: SeededAccount,
  { now, inputMinor }: { now: Date; inputMinor: bigint },
): Transaction {
  return {
    accountId: account.accountId,
    transactionId: ids.next(),
    externalId: null,
    senderId: account.senderId,
    state: 'approved',
    stateReason: null,
    stateReasonDetails: null,
    inputCurrency: 'USD',
    inputAmount: inputMinor,
    paidAmount: 0n,
    isCollection: false,
    autoRefund: true,
    accountValidation: false,
    metadata: {},
    eventCount: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + HOUR_MS),
    fundedAt: null,
  };
}

function makeRecipient(ids: Ids, transaction: Transaction): Recipient {
  return {
    accountId: transaction.accountId,
    recipientId: ids.next(),
    transactionId: transaction.transactionId,
    position: 0,
    type: 'person',
    state: 'initial',
    stateReason: null,
    stateReasonDetails: null,
    requestedAmount: transaction.inputAmount,
    requestedCurrency: 'USD',
    inputAmount: transaction.inputAmount,
    inputCurrency: 'USD',
    outputAmount: transaction.inputAmount * 1500n,
    outputCurrency: 'NGN',
    inputUsdAmount: transaction.inputAmount,
    usdRate: null,
    rate: '1500/1',
    payoutMethodId: ids.next(),
    payoutType: 'NGN::Bank',
    payoutDetails: {
      first_name: 'Obi',
      last_name: 'Example',
      bank_account: '1234567890',
      bank_code: '058',
      bank_account_type: '20',
    },
    payoutMetadata: {},
    provider: null,
    metadata: {},
    eventCount: 0,
    ...NOT_TRIED,
    createdAt: transaction.createdAt,
  };
}
