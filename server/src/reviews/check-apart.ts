/**
 * Checks senders in one commit; where that breaks on one, one by one for this turn. A sender on which it breaks alone
 * is put off and logged, so that it cannot hold up those behind it. Where somebody keeps a row that it needs, such as
 * one of its transactions, all that are due of its account are put off, and the turn ends: each would wait as long for
 * that row.
 */
import type { Context } from '../context.ts';
import { isTimeOut } from '../kernel/batch.ts';
import { isOfOne, putOffFrom, runAlone } from '../kernel/put-off.ts';
import { type ClaimShape, putOffChecks } from '../senders/checks.ts';
import type { SenderKey } from '../senders/sender.ts';

/** Senders in one commit. Their rows are locked while the lists are asked, a few milliseconds for each name. */
export const MAX_CHECKS = 20;

export interface CheckTurn {
  /** Fewer than MAX_CHECKS: no more are due, or they have their turn next. */
  readonly count: number;
  readonly hasEvents: boolean;
  /** Transactions may have work. */
  readonly hasMoves: boolean;
}

export const NOTHING: CheckTurn = { count: 0, hasEvents: false, hasMoves: false };
const ONE_PUT_OFF: CheckTurn = { ...NOTHING, count: 1 };

type ApartContext = Pick<Context, 'db' | 'clock' | 'log'>;
type CheckSome = (claim: ClaimShape) => Promise<CheckTurn>;

export async function checkApart(ctx: ApartContext, checkSome: CheckSome): Promise<CheckTurn> {
  try {
    return await checkSome({ limit: MAX_CHECKS, onLocked: () => undefined });
  } catch (fault) {
    if (!isOfOne(fault)) throw fault;
  }
  const turns: CheckTurn[] = [];
  try {
    for (let left = MAX_CHECKS; left > 0; left -= 1) {
      const { isKept, ...turn } = await checkOne(ctx, checkSome);
      if (turn.count > 0) turns.push(turn);
      if (turn.count === 0 || isKept) break;
    }
  } catch (fault) {
    // What was checked before is told of all the same.
    if (turns.length === 0) throw fault;
    ctx.log.warn('checking senders one by one was broken off', { senders: turns.length }, fault);
  }
  return {
    count: turns.length,
    hasEvents: turns.some(({ hasEvents }) => hasEvents),
    hasMoves: turns.some(({ hasMoves }) => hasMoves),
  };
}

/** The sender that is due longest. */
async function checkOne(ctx: ApartContext, checkSome: CheckSome): Promise<CheckTurn & { readonly isKept: boolean }> {
  let key: SenderKey | undefined;
  const onLocked = (keys: readonly SenderKey[]) => {
    key = keys[0];
  };
  try {
    return { ...(await runAlone(() => checkSome({ limit: 1, onLocked }))), isKept: false };
  } catch (fault) {
    if (key === undefined || !isOfOne(fault)) throw fault;
    await putOff(ctx, key, fault);
    return { ...ONE_PUT_OFF, isKept: isTimeOut(fault) };
  }
}

async function putOff(ctx: ApartContext, key: SenderKey, fault: unknown): Promise<void> {
  const now = ctx.clock.now();
  const ofAccount = isTimeOut(fault);
  await ctx.db.inTx((tx) => putOffChecks(tx, key, { now, until: putOffFrom(now), ofAccount }));
  const ids = { account_id: key.accountId, sender_id: key.senderId };
  const what = ofAccount ? 'somebody keeps a row of an account; its checks are' : 'the check of a sender broke; it is';
  ctx.log.error(`${what} tried again later`, ids, fault);
}
