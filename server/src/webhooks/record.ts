/**
 * Recording attempts, in batches of those that have ended: the log, what becomes of each delivery, and the count of
 * time-outs in a row, in one commit. An endpoint that timed out too often is disabled; what waits for it is dropped by
 * drop-unwanted.ts. Spec: Events (3, 4). Open points OP-68 and OP-69.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../kernel/database.ts';
import { distinctBy } from '../kernel/distinct.ts';
import {
  countTimeouts,
  type Disabling,
  disableWebhooks,
  insertAttempts,
  moveDeliveries,
  type TimeoutCount,
} from './attempt-store.ts';
import { postponedBehind } from './chains.ts';
import type { Attempt } from './delivery.ts';
import { giveBack, readOpenChains } from './delivery-store.ts';
import type { WebhookKey } from './webhook.ts';
import { readEnded } from './webhook-store.ts';

export type RecordContext = Pick<Context, 'db' | 'clock' | 'settings' | 'log'>;

export interface Recorded {
  /** Whether the webhook gets nothing more: this attempt or another one disabled it, or it was deleted meanwhile. */
  readonly isEnded: boolean;
  /** Whether deliveries that waited for one of the batch are due now. */
  readonly hasReleased: boolean;
}

export async function recordAttempts(ctx: RecordContext, attempts: readonly Attempt[]): Promise<Recorded[]> {
  const { recorded, disabled } = await ctx.db.inTx((tx) => record(ctx, tx, attempts));
  for (const { accountId, webhookId } of disabled) {
    const ids = { account_id: accountId, webhook_id: webhookId };
    ctx.log.warn('a webhook was disabled for good: its endpoint timed out too often', ids);
  }
  return recorded;
}

async function record(
  ctx: RecordContext,
  tx: Tx,
  attempts: readonly Attempt[],
): Promise<{ readonly recorded: Recorded[]; readonly disabled: readonly Disabling[] }> {
  const now = ctx.clock.now();
  const [added, ended] = await Promise.all([insertAttempts(tx, attempts), readEnded(tx, webhooksOf(attempts))]);
  const fresh = attempts.filter((attempt) => added.has(attempt.attemptId));
  if (fresh.length === 0) return { recorded: attempts.map(recordedOf(ended, false)), disabled: [] };
  const [counted] = await Promise.all([moveDeliveries(tx, fresh), giveBack(tx, fresh.flatMap(givenBackBehind))]);
  // Before the webhooks: all deliveries come first in the order of locks.
  const hasReleased = await releaseWaiting(tx, fresh, now);
  // Most webhooks answer, and nothing was counted of them: there is nothing to write.
  const news = countsOf(fresh).filter(({ webhookId, timeouts }) => timeouts > 0 || counted.get(webhookId) !== 0);
  const counts = await countTimeouts(tx, news);
  const limit = ctx.settings.webhooks.disableAfterTimeouts;
  const reason = `${limit} attempts in a row timed out`;
  const disablings = news
    .filter(({ webhookId }) => (counts.get(webhookId) ?? 0) >= limit)
    .map(({ accountId, webhookId }) => ({ accountId, webhookId, reason }));
  const newly = await disableWebhooks(tx, disablings, now);
  for (const { webhookId } of disablings) ended.add(webhookId);
  const recorded = attempts.map(recordedOf(ended, hasReleased));
  return { recorded, disabled: disablings.filter(({ webhookId }) => newly.has(webhookId)) };
}

function recordedOf(ended: ReadonlySet<string>, hasReleased: boolean): (attempt: Attempt) => Recorded {
  return ({ delivery }) => ({ isEnded: ended.has(delivery.webhookId), hasReleased });
}

function webhooksOf(attempts: readonly Attempt[]): WebhookKey[] {
  return distinctBy(
    attempts.map(({ delivery }) => delivery),
    ({ webhookId }) => webhookId,
  );
}

/** What stands behind a delivery that has to wait goes back, and waits as long. */
function givenBackBehind({ next, behind }: Attempt) {
  const dueAt = next.nextAttemptAt;
  return dueAt === null ? [] : behind.map((delivery) => ({ ...delivery, dueAt }));
}

/** Deliveries that came while the one before them was under way, and were put off. */
async function releaseWaiting(tx: Tx, attempts: readonly Attempt[], now: Date): Promise<boolean> {
  const finished = attempts.filter(({ next }) => next.nextAttemptAt === null).map(({ delivery }) => delivery);
  const open = await readOpenChains(tx, finished);
  const released = postponedBehind(finished, open, now).map((delivery) => ({ ...delivery, dueAt: now }));
  await giveBack(tx, released);
  return released.length > 0;
}

/** In the order in which the attempts ended. */
function countsOf(attempts: readonly Attempt[]): TimeoutCount[] {
  const counts = new Map<string, TimeoutCount>();
  const inOrder = attempts.toSorted((one, other) => one.endedAt.getTime() - other.endedAt.getTime());
  for (const { delivery, outcome } of inOrder) {
    const { accountId, webhookId } = delivery;
    const before = counts.get(webhookId) ?? { accountId, webhookId, timeouts: 0, isReset: false };
    const after = outcome.kind === 'timed_out' ? { timeouts: before.timeouts + 1 } : { timeouts: 0, isReset: true };
    counts.set(webhookId, { ...before, ...after });
  }
  return [...counts.values()];
}
