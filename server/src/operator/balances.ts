/**
 * Money that an account brings in or takes out: a top-up from its treasury, or the way back. Posted like everything
 * else, through a locked book. Spec: What the service does (4), Account balance.
 */
import { auditText } from '../accounts/audit.ts';
import { accountById } from '../accounts/find.ts';
import { done, type Outcome, refusedAction } from '../accounts/operator-refusals.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import { openBook, writeBook } from '../ledger/book.ts';
import { makeEntry } from '../ledger/entry.ts';
import { isBalanceOpen } from '../ledger/open-balance.ts';
import { MAX_MINOR } from '../money/amount.ts';
import { parseExactAmount } from '../money/parse.ts';
import { runByReference } from './by-reference.ts';
import type { Action, Change, Command, OperatorContext } from './command.ts';
import { currencyOfName, formatLedgerAmount, isPartnerName } from './ledger-currency.ts';

export interface MoveInput {
  readonly accountId: string;
  /** `USD`, or `USD::Partner` for a balance kept through a partner. */
  readonly currency: string;
  /** A decimal string or a JSON number, as it came. Digits below the minor unit are refused: nothing is cut unseen. */
  readonly amount: unknown;
}

interface TopUpInput extends MoveInput {
  /** Of the payment that it records. Undefined only in the sandbox, where no bank statement has one. */
  readonly reference?: string | undefined;
}

export interface Moved {
  readonly accountId: string;
  readonly currency: string;
  readonly amount: string;
  /** What the balance was right after it. */
  readonly balance: string;
  /** When it was posted, where that was before: nothing was posted now. */
  readonly alreadyPostedAt?: Date;
}

type Direction = 'credit' | 'debit';
const ENTRY_OF = { credit: 'top_up', debit: 'take_out' } as const;

/**
 * Refuses with currency_unknown, amount_invalid, reference_needed, reference_taken, account_not_found,
 * balance_not_open, balance_too_large.
 */
export function creditBalance(ctx: OperatorContext, command: Command, input: TopUpInput): Promise<Outcome<Moved>> {
  return moveBalance(ctx, command, 'credit', input);
}

/** Refuses with the same, and with insufficient_balance. */
export function debitBalance(ctx: OperatorContext, command: Command, input: TopUpInput): Promise<Outcome<Moved>> {
  return moveBalance(ctx, command, 'debit', input);
}

/** In minor units. Refuses with currency_unknown, amount_invalid. */
export function readMove({ currency, amount }: Pick<MoveInput, 'currency' | 'amount'>): Outcome<bigint> {
  const code = currencyOfName(currency);
  if (!code) return refusedAction('currency_unknown', `${currency} is not a currency name such as USD or USD::Partner`);
  const read = parseExactAmount(amount, code);
  if (!read.ok) return refusedAction('amount_invalid', `amount: ${present(read.refusals[0], 'a reason').code}`);
  return done(read.value.minor);
}

async function moveBalance(
  ctx: OperatorContext,
  command: Command,
  direction: Direction,
  { accountId, currency, amount, reference }: TopUpInput,
): Promise<Outcome<Moved>> {
  const read = readMove({ currency, amount });
  if (!read.ok) return read;
  if (reference === undefined && ctx.settings.mode === 'live') return refusedAction('reference_needed');
  const minor = read.value;
  const shown = formatLedgerAmount(currency, minor);
  const audited = reference === undefined ? {} : { reference };
  const action: Action<Moved> = {
    name: `balance.${direction}`,
    subject: accountId,
    intent: { currency, amount: shown, ...audited },
    change: (tx) => postMove(ctx, tx, direction, { accountId, currency, minor, audited }),
    recall: async (_tx, row) => ({
      accountId,
      currency,
      amount: shown,
      balance: auditText(row.after, 'balance'),
      alreadyPostedAt: row.at,
    }),
  };
  if (reference === undefined) return ctx.commands.run(command, action);
  return runByReference(ctx, command, action, { accountId, currency, reference });
}

interface Move {
  readonly accountId: string;
  readonly currency: string;
  readonly minor: bigint;
  readonly audited: { readonly reference?: string };
}

async function postMove(
  ctx: OperatorContext,
  tx: Tx,
  direction: Direction,
  { accountId, currency, minor, audited }: Move,
): Promise<Outcome<Change<Moved>>> {
  const account = await accountById(tx, accountId);
  if (!account.ok) return account;
  // A partner's name is the operator's own to set: one that is mistyped must not become another balance.
  if (isPartnerName(currency) && !(await isBalanceOpen(tx, { accountId, currency }))) {
    return refusedAction('balance_not_open');
  }
  const balanceKey = { accountId, currency, ledgerAccount: 'balance' } as const;
  const book = await openBook(tx, [balanceKey, { accountId, currency, ledgerAccount: 'treasury' }]);
  const before = book.amount(accountId, currency, 'balance');
  if (direction === 'debit' && !book.canGive(balanceKey, minor)) {
    const holds = formatLedgerAmount(currency, before);
    return refusedAction('insufficient_balance', `the balance holds ${holds} ${currency}`);
  }
  const after = direction === 'credit' ? before + minor : before - minor;
  // Refunds and collections may have raised it beyond that: what leads back is refused to nobody.
  const isTooLarge = direction === 'credit' ? after > MAX_MINOR : after < -MAX_MINOR;
  if (isTooLarge) return refusedAction('balance_too_large');
  const amounts = [{ currency, minor }];
  book.post(makeEntry(ctx.ids, ENTRY_OF[direction], { accountId, postedAt: ctx.clock.now(), amounts }));
  await writeBook(tx, book);
  const amount = formatLedgerAmount(currency, minor);
  const balance = formatLedgerAmount(currency, after);
  return done({
    answer: { accountId, currency, amount, balance },
    subject: accountId,
    before: { currency, balance: formatLedgerAmount(currency, before) },
    after: { currency, balance, amount, ...audited },
  });
}
