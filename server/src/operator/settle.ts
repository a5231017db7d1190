/**
 * What is settled with providers: for payouts that were delivered the treasury has paid them, for collections they have
 * handed over what payers paid. Each payment is recorded once under its reference. Open point OP-222, ADR 0014.
 */
import { auditText } from '../accounts/audit.ts';
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import type { Tx } from '../kernel/database.ts';
import { openBook, writeBook } from '../ledger/book.ts';
import type { EntryName, LedgerAccount } from '../ledger/chart.ts';
import { makeEntry } from '../ledger/entry.ts';
import { type MoveInput, readMove } from './balances.ts';
import { runByReference } from './by-reference.ts';
import type { Change, Command, OperatorContext } from './command.ts';
import { formatLedgerAmount } from './ledger-currency.ts';

interface Side {
  readonly action: string;
  readonly entry: EntryName;
  readonly ledgerAccount: LedgerAccount;
  /** What providers have from payers stands below zero. */
  readonly unsettled: (held: bigint) => bigint;
}

const SIDES = {
  payouts: {
    action: 'balance.settle',
    entry: 'payout_settled',
    ledgerAccount: 'payout_settlement',
    unsettled: (held) => held,
  },
  payins: {
    action: 'balance.settle_payins',
    entry: 'payin_settled',
    ledgerAccount: 'payin_settlement',
    unsettled: (held) => -held,
  },
} as const satisfies Record<string, Side>;

type SettledSide = keyof typeof SIDES;

interface SettleInput extends MoveInput {
  readonly side: SettledSide;
  /** Of the payment to or from the provider: one for each side, account and currency. */
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
export async function settle(
  ctx: OperatorContext,
  { operator }: Pick<Command, 'operator'>,
  input: SettleInput,
): Promise<Outcome<Settled>> {
  const { side, accountId, currency, reference } = input;
  const read = readMove(input);
  if (!read.ok) return read;
  const amount = formatLedgerAmount(currency, read.value);
  return runByReference<Settled>(
    ctx,
    { operator },
    {
      name: SIDES[side].action,
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

/** Below zero: money went back after it had been settled. */
function sayLeft(currency: string, left: bigint): string {
  if (left >= 0n) return `${formatLedgerAmount(currency, left)} ${currency} are left to be settled`;
  const over = `${formatLedgerAmount(currency, -left)} ${currency}`;
  return `nothing is left to be settled: ${over} went back after they had been settled, and what comes next makes up for it`;
}

async function postSettlement(
  ctx: OperatorContext,
  tx: Tx,
  { side, accountId, currency, reference }: SettleInput,
  minor: bigint,
): Promise<Outcome<Change<Settled>>> {
  const account = await accountById(tx, accountId);
  if (!account.ok) return account;
  const { ledgerAccount, entry, unsettled } = SIDES[side];
  const keys = [ledgerAccount, 'treasury'] as const;
  const book = await openBook(
    tx,
    keys.map((each) => ({ accountId, currency, ledgerAccount: each })),
  );
  const left = () => unsettled(book.amount(accountId, currency, ledgerAccount));
  const before = formatLedgerAmount(currency, left());
  if (left() < minor) return refusedAction('settlement_too_large', sayLeft(currency, left()));
  book.post(makeEntry(ctx.ids, entry, { accountId, postedAt: ctx.clock.now(), amounts: [{ currency, minor }] }));
  const after = formatLedgerAmount(currency, left());
  await writeBook(tx, book);
  const amount = formatLedgerAmount(currency, minor);
  return done({
    answer: { accountId, currency, amount, reference, unsettled: after },
    subject: accountId,
    before: { currency, unsettled: before },
    after: { currency, unsettled: after, amount, reference },
  });
}
