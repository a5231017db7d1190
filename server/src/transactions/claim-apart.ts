/**
 * Claims what is due; where that breaks on a transaction, one by one for this turn. A transaction on which it breaks
 * alone is put off, logged and shown to people, so that it cannot hold up those behind it. Only its time changes:
 * whatever was decided for it before the fault is rolled back. Where somebody keeps a row that it needs, such as the
 * balance that it is refunded to, all that is due of its account is put off: each would wait as long for the same row.
 */
import type { Context } from '../context.ts';
import { isTimeOut } from '../kernel/batch.ts';
import { isOfOne, putOffFrom, runAlone } from '../kernel/put-off.ts';
import { type Claim, type ClaimContext, type ClaimWish, claimDue } from './claim-due.ts';
import type { TransactionKey } from './transaction.ts';
import { putOffAccount, putOffTransaction } from './update-store.ts';

type ApartContext = ClaimContext & Pick<Context, 'log'>;

const ONE_PUT_OFF: Claim = { transactions: 1, calls: [], checks: [], payinCalls: [] };

export async function claimApart(ctx: ApartContext, wish: ClaimWish): Promise<Claim> {
  try {
    return await claimDue(ctx, wish);
  } catch (fault) {
    if (!isOfOne(fault)) throw fault;
  }
  const claims: Claim[] = [];
  try {
    for (let left = wish.limit; left > 0; left -= 1) {
      const claim = await claimOne(ctx, wish);
      if (claim.transactions === 0) break;
      claims.push(claim);
    }
  } catch (fault) {
    // The calls of what was claimed before are made all the same: nobody else would before its lease ends.
    if (claims.length === 0) throw fault;
    ctx.log.warn('claiming transactions one by one was broken off', { claims: claims.length }, fault);
  }
  return {
    transactions: claims.length,
    calls: claims.flatMap(({ calls }) => calls),
    checks: claims.flatMap(({ checks }) => checks),
    payinCalls: claims.flatMap(({ payinCalls }) => payinCalls),
  };
}

/** The transaction that is due longest. */
async function claimOne(ctx: ApartContext, wish: ClaimWish): Promise<Claim> {
  let key: TransactionKey | undefined;
  const onLocked = (keys: readonly TransactionKey[]) => {
    key = keys[0];
  };
  try {
    return await runAlone(() => claimDue(ctx, { ...wish, limit: 1, onLocked }));
  } catch (fault) {
    if (key === undefined || !isOfOne(fault)) throw fault;
    await putOff(ctx, key, fault);
    return ONE_PUT_OFF;
  }
}

async function putOff(ctx: ApartContext, key: TransactionKey, fault: unknown): Promise<void> {
  const now = ctx.clock.now();
  const times = { now, until: putOffFrom(now) };
  const isKept = isTimeOut(fault);
  await ctx.db.inTx((tx) => (isKept ? putOffAccount(tx, key, times) : putOffTransaction(tx, key, times)));
  const ids = { account_id: key.accountId, transaction_id: key.transactionId };
  const what = isKept ? 'somebody keeps a row of an account; its work is' : 'the work on a transaction broke; it is';
  ctx.log.error(`${what} tried again later`, ids, fault);
}
