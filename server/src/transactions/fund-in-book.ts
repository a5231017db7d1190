/** Funds one transaction in the working copies of a batch: what a debit and create_and_fund have in common. */
import type { Ids } from '../kernel/ids.ts';
import type { Book } from '../ledger/book.ts';
import { makeEntry } from '../ledger/entry.ts';
import type { BalanceKey } from '../ledger/store.ts';
import { MAX_MINOR } from '../money/amount.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import type { Debit } from './debit.ts';
import type { JsonObject } from './draft-metadata.ts';
import { transactionTable } from './states.ts';
import type { WholeTransaction } from './transaction.ts';

export interface Funding {
  readonly after: WholeTransaction;
  readonly debit: Debit;
}

/** What decides whether a funding can be: it is locked before. */
export function fundedFrom(accountId: string, currency: CurrencyCode): BalanceKey {
  return { accountId, currency, ledgerAccount: 'balance' };
}

/** All that it touches, for whoever writes little in between: locked at once, it takes two statements less. */
export function balancesOf(accountId: string, currency: CurrencyCode): BalanceKey[] {
  return [fundedFrom(accountId, currency), { accountId, currency, ledgerAccount: 'held' }];
}

/** Posts the money and moves the transaction. The decision was made before: this must succeed. */
export function fundInBook(
  ids: Ids,
  book: Book,
  wanted: { transaction: WholeTransaction; debitId: string; metadata: JsonObject; at: Date },
): Funding {
  const { transaction, debitId, metadata, at } = wanted;
  const { accountId, transactionId, inputCurrency: currency, inputAmount: minor } = transaction;
  book.post(makeEntry(ids, 'fund', { accountId, transactionId, postedAt: at, amounts: [{ currency, minor }] }));
  return {
    after: {
      ...transaction,
      state: transactionTable.mustMove(transaction.state, 'fund'),
      paidAmount: minor,
      fundedAt: at,
      eventCount: transaction.eventCount + 1,
    },
    debit: {
      accountId,
      debitId,
      transactionId,
      amount: minor,
      currency,
      usdAmount: usdAmountOf(transaction),
      runningBalance: book.amount(accountId, currency, 'balance'),
      metadata,
      createdAt: at,
    },
  };
}

/** Whether the balance can give that much and stays an amount that can be shown, also where it may go below zero. */
export function canFund(
  book: Book,
  { accountId, currency }: { accountId: string; currency: CurrencyCode },
  minor: bigint,
): boolean {
  const left = book.amount(accountId, currency, 'balance') - minor;
  return left >= -MAX_MINOR && book.canGive({ accountId, currency, ledgerAccount: 'balance' }, minor);
}

/** Known only when the value in US dollars of all who are paid is, and their sum is an amount that can be shown. */
function usdAmountOf({ recipients }: WholeTransaction): bigint | null {
  const paid = recipients.filter(({ state }) => state !== 'canceled');
  const usd = paid.reduce<bigint | null>(
    (sum, { inputUsdAmount }) => (sum === null || inputUsdAmount === null ? null : sum + inputUsdAmount),
    0n,
  );
  return usd !== null && usd > MAX_MINOR ? null : usd;
}
