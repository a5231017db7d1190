/**
 * Takes the transactions that have work now: expires those whose hour is over, starts and repeats payouts, refunds
 * those that nobody could pay in time, prompts the payers of collections, and gives the calls to make. Attempts are
 * stored, and a lease is set, before any of the calls is made. Spec: Transaction states (time, payouts start, automatic
 * cancellation), Recipient states.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { type Collecting, decideCollection, type PayinCall } from './decide-collection.ts';
import { type CheckCall, decideDue, type PayoutCall, type Providing } from './decide-due.ts';
import { openHoldDesk } from './hold-desk.ts';
import { readLastAttempts, readLastPrompts } from './last-attempts.ts';
import { readRestOf } from './load.ts';
import { PayinBook } from './payin-book.ts';
import type { Transaction, TransactionKey, WholeTransaction } from './transaction.ts';
import { TransactionDesk } from './transaction-desk.ts';
import { findDueAccount, lockDue } from './update-store.ts';

export type ClaimContext = Pick<Context, 'db' | 'clock' | 'ids' | 'catalogue' | 'settings' | 'wake'>;

export interface Claim {
  /** How many transactions were worked on; fewer than asked for means that no more are due. */
  readonly transactions: number;
  readonly calls: readonly PayoutCall[];
  /** Accounts to look up first. */
  readonly checks: readonly CheckCall[];
  readonly payinCalls: readonly PayinCall[];
}

/** What one claim may have of the providers. */
export interface ClaimProviding extends Providing {
  readonly collecting: Collecting;
  /** The claim is committed: its calls are made. */
  readonly keep: () => void;
}

const NOTHING: Claim = { transactions: 0, calls: [], checks: [], payinCalls: [] };

export interface ClaimWish {
  readonly limit: number;
  /** For each claim anew: one that fails makes no calls. */
  readonly provide: () => ClaimProviding;
  /** Told what is locked before anything is done with it. */
  readonly onLocked?: (keys: readonly TransactionKey[]) => void;
}

export async function claimDue(ctx: ClaimContext, { limit, provide, onLocked }: ClaimWish): Promise<Claim> {
  const now = ctx.clock.now();
  const accountId = ctx.settings.database.oneTenantBatches ? await findDueAccount(ctx.db, now) : null;
  if (accountId === undefined) return NOTHING;
  const { keep, collecting, ...providing } = provide();
  const { claim, desk } = await ctx.db.inTx(async (tx) => {
    const { keys, read, hasRules } = await lockDue(tx, { now, limit, accountId });
    if (keys.length === 0) return { claim: NOTHING };
    onLocked?.(keys);
    const desk = await openDesk(ctx, tx, read(), now);
    const holds = await openHoldDesk(ctx, tx, { transactions: desk.transactions(), hasRules });
    const [collections, payouts] = apart(desk.transactions());
    const due = payouts.flatMap((transaction) => decideDue(ctx, { desk, holds }, transaction, providing));
    const payinCalls = collections.flatMap((each) => decideCollection(ctx, { desk, holds }, each, collecting));
    await holds.write(tx);
    await desk.write(tx);
    const calls = due.flatMap((call) => (call.do === 'check' ? [] : [call]));
    const checks = due.flatMap((call) => (call.do === 'check' ? [call] : []));
    return { claim: { transactions: keys.length, calls, checks, payinCalls }, desk };
  });
  keep();
  // Transactions also end by being claimed: expired ones, and refunds.
  desk?.wakeDeliveries(ctx.wake);
  return claim;
}

/** Reads what belongs to the transactions, which the caller has locked, with the last attempt of each recipient. */
async function openDesk(
  ctx: Pick<Context, 'ids' | 'catalogue' | 'settings'>,
  tx: Tx,
  locked: readonly Transaction[],
  now: Date,
): Promise<TransactionDesk> {
  const transactions = await readRestOf(tx, locked);
  const attempts = await readLastAttempts(tx, transactions.values());
  const payins = new PayinBook(await readLastPrompts(tx, transactions.values()));
  return new TransactionDesk(ctx, { transactions, attempts, payins, now, looksAtHolds: true });
}

function apart(transactions: readonly WholeTransaction[]) {
  const isCollection = (transaction: WholeTransaction) => transaction.isCollection;
  return [transactions.filter(isCollection), transactions.filter((each) => !isCollection(each))] as const;
}
