/**
 * The checks of senders, behind the calls: claims those that are due, asks the lists, and writes states, reviews,
 * checks and events in one commit. Nothing outside of the database is touched, so a process that dies has done nothing,
 * and the next one does it. Spec: Sender states. Open points OP-32, OP-102, OP-178 and OP-180.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { readTerms } from '../accounts/terms.ts';
import type { Context } from '../context.ts';
import { present } from '../kernel/assert.ts';
import type { Tx } from '../kernel/database.ts';
import type { SenderScreening } from '../screening/sender-screening.ts';
import {
  accountToCheck,
  claimDueSenders,
  claimOutdatedSenders,
  type SenderUnderCheck,
  writeOutcomes,
} from '../senders/checks.ts';
import { isScreened } from '../senders/when-checked.ts';
import { followSenders } from '../transactions/follow-senders.ts';
import { type CheckTurn, checkApart, NOTHING } from './check-apart.ts';
import { type Checked, checkSender, outcomeOf } from './check-sender.ts';
import { insertChecks, insertReviews, readOpenReviews, updateReviews } from './store.ts';

export type CheckContext = Pick<Context, 'db' | 'clock' | 'ids' | 'settings' | 'log'>;

/** Checks senders that are due. */
export function checkDueSenders(ctx: CheckContext, screening: SenderScreening): Promise<CheckTurn> {
  return checkApart(ctx, async (shape) => {
    const now = ctx.clock.now();
    const accountId = await accountToCheck(ctx, now);
    if (accountId === undefined) return NOTHING;
    return ctx.db.inTx(async (tx) => {
      const claimed = await claimDueSenders(tx, { now, accountId, ...shape });
      return check(ctx, tx, screening, claimed, now);
    });
  });
}

/** Screens senders of an account that were screened with other lists than these. */
export function rescreenSenders(
  ctx: CheckContext,
  screening: SenderScreening,
  accountId: string,
  version: string,
): Promise<CheckTurn> {
  return checkApart(ctx, (shape) => {
    const now = ctx.clock.now();
    return ctx.db.inTx(async (tx) => {
      // KYC may be waived since the account was found. Nobody would be screened then, and the same ones be found for
      // ever.
      const terms = present((await readTerms(tx, [accountId])).get(accountId), 'terms of the account');
      if (!isScreened(terms.kyc, ctx.settings.senders)) return NOTHING;
      const claimed = await claimOutdatedSenders(tx, { accountId, version, ...shape });
      return check(ctx, tx, screening, claimed, now);
    });
  });
}

async function check(
  ctx: CheckContext,
  tx: Tx,
  screening: SenderScreening,
  claimed: readonly SenderUnderCheck[],
  now: Date,
): Promise<CheckTurn> {
  if (claimed.length === 0) return NOTHING;
  const terms = await readTerms(
    tx,
    claimed.map(({ sender }) => sender.accountId),
  );
  const reviews = await readOpenReviews(
    tx,
    claimed.map(({ sender }) => sender),
  );
  const checked: Checked[] = [];
  for (const subject of claimed) {
    const { sender } = subject;
    const { kyc } = present(terms.get(sender.accountId), 'terms of the account');
    checked.push(checkSender(ctx, { ...subject, kyc, review: reviews.get(sender.senderId), screening, now }));
    // One name takes milliseconds; calls that wait come in between.
    await breathe();
  }
  await writeOutcomes(ctx, tx, checked.map(outcomeOf), now);
  await insertChecks(
    tx,
    checked.flatMap(({ check: made }) => made ?? []),
  );
  await insertReviews(
    tx,
    checked.flatMap(({ opened }) => opened ?? []),
  );
  await updateReviews(
    tx,
    checked.flatMap(({ updated }) => updated ?? []),
  );
  const moved = checked.filter(({ isFollowed }) => isFollowed).map(({ after }) => after);
  await followSenders(tx, moved, now);
  return {
    count: claimed.length,
    hasEvents: checked.some(({ event }) => event !== undefined),
    hasMoves: moved.length > 0,
  };
}
