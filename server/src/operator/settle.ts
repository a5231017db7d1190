/**
 * What was delivered to recipients and is now settled with the provider: the account's treasury has paid it, once under
 * the reference of that payment. Open point OP-222.
 */
import { auditText } from '../accounts/audit.ts';
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Tx } from '../kernel/database.ts';
import { openBook, writeBook } from '../ledger/book.ts';
import { makeEntry } from '../ledger/entry.ts';
import { type MoveInput, readMove } from './balances.ts';
import { runByReference } from './by-reference.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { formatLedgerAmount } from './ledger-currency.ts';

export interface SettleInput extends MoveInput {
  /** Of the payment to the provider: one for each account and currency. */
  readonly reference: string;
}

export interface Settled {
  readonly accountId: string;
  readonly currency: string;
  readonly amount: string;
  readonly reference: string;
  /** What was left to be settled right after it. */
  readonly unsettled: string;
  /** When it was posted, where that was before: nothing was posted now. */
  readonly alreadyPostedAt?: Date;
}

/** Refuses with currency_unknown, amount_invalid, account_not_found, settlement_too_large, reference_taken. */
export async function settlePayouts(
  ctx: OperatorContext,
  { operator }: Pick<Command, 'operator'>,
  input: SettleInput,
): Promise<Outcome<Settled>> {
  const { accountId, currency, reference } = input;
  const read = readMove(input);
  if (!read.ok) return read;
  const amount = formatLedgerAmount(currency, read.value);
  return runByReference<Settled>(
    ctx,
    { operator },
    {
      name: 'balance.settle',
      subject: accountId,
      intent: { currency, amount, reference },
      change: (tx) => postSettlement(ctx, tx, input, read.value),
      recall: async (_tx, row) => ({
        accountId,
        currency,
        amount,
        reference,
        unsettled: auditText(row.after, 'unsettled'),
        alreadyPostedAt: row.at,
      }),
    },
    input,
  );
}

async function postSettlement(
  ctx: OperatorContext,
  tx: Tx,
  { accountId, currency, reference }: SettleInput,
  minor: bigint,
): Promise<Outcome<Change<Settled>>> {
  const account = await accountById(tx, accountId);
  if (!account.ok) return account;
  const key = { accountId, currency, ledgerAccount: 'payout_settlement' } as const;
  const book = await openBook(tx, [key, { accountId, currency, ledgerAccount: 'treasury' }]);
  const before = formatLedgerAmount(currency, book.amount(accountId, currency, 'payout_settlement'));
  if (!book.canGive(key, minor)) {
    return refusedAction('settlement_too_large', `${before} ${currency} are left to be settled`);
  }
  const amounts = [{ currency, minor }];
  book.post(makeEntry(ctx.ids, 'payout_settled', { accountId, postedAt: ctx.clock.now(), amounts }));
  const unsettled = formatLedgerAmount(currency, book.amount(accountId, currency, 'payout_settlement'));
  await writeBook(tx, book);
  const amount = formatLedgerAmount(currency, minor);
  return done({
    answer: { accountId, currency, amount, reference, unsettled },
    subject: accountId,
    before: { currency, unsettled: before },
    after: { currency, unsettled, amount, reference },
  });
}
