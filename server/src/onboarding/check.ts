/**
 * The onboarding check: whether an account uses the service as production needs it, by what is recorded of its use.
 * Spec: What the service does (7). What counts as met is ours. Open points OP-106 and OP-206.
 */

import type { Tx } from '../kernel/database.ts';
import { STATUS_CHECKS_IN_FIRST_HOUR, STATUS_CHECKS_IN_LATER_HOURS } from '../kernel/limits.ts';
import { LIMITED } from '../soft-limits/limits.ts';
import {
  readCancelUse,
  readErrorUse,
  readLimitUse,
  readSenderUse,
  readStatusChecks,
  readWebhookUse,
} from './use-store.ts';

/** In the order of the specification; webhooks and polling are its one point of the source of state. */
const CHECK_POINTS = [
  { point: 'senders_reused', means: 'senders are reused through external_id' },
  { point: 'webhooks_answered', means: 'webhooks are registered and answered' },
  { point: 'polling_within_limits', means: 'states and balances are not polled beyond the soft limits' },
  { point: 'errors_read', means: 'recipient errors came up and were read' },
  { point: 'recipient_canceled', means: 'a recipient was canceled' },
] as const;

type CheckPoint = (typeof CHECK_POINTS)[number]['point'];

/** What is recorded of an account's use. */
export interface RecordedUse {
  readonly senders: Awaited<ReturnType<typeof readSenderUse>>;
  readonly webhooks: Awaited<ReturnType<typeof readWebhookUse>>;
  readonly limits: Awaited<ReturnType<typeof readLimitUse>>;
  readonly statusChecks: Awaited<ReturnType<typeof readStatusChecks>>;
  readonly errors: Awaited<ReturnType<typeof readErrorUse>>;
  readonly cancels: Awaited<ReturnType<typeof readCancelUse>>;
}

export interface CheckLine {
  readonly point: CheckPoint;
  readonly means: string;
  readonly isMet: boolean;
  /** Counts by name. */
  readonly evidence: Readonly<Record<string, number>>;
  /** When it last happened: what speaks for it, or for polling what speaks against it. */
  readonly lastAt: Date | null;
}

type Judgement = Pick<CheckLine, 'isMet' | 'evidence' | 'lastAt'>;

const JUDGE: Readonly<Record<CheckPoint, (use: RecordedUse) => Judgement>> = {
  senders_reused: ({ senders: { counts, lastAt } }) => ({ isMet: counts.reused > 0, evidence: counts, lastAt }),
  webhooks_answered: ({ webhooks: { counts, lastAt } }) => ({
    isMet: counts.enabled > 0 && counts.delivered > 0,
    evidence: counts,
    lastAt,
  }),
  // Who has done nothing yet has not shown anything either.
  polling_within_limits: ({ limits, statusChecks, senders }) => ({
    isMet: senders.counts.senders > 0 && limits.counts.windows_over === 0 && statusChecks.counts.hours_over === 0,
    evidence: { ...limits.counts, ...statusChecks.counts },
    lastAt: later(limits.lastAt, statusChecks.lastAt),
  }),
  errors_read: ({ errors: { counts, lastAt } }) => ({
    isMet: counts.delivered + counts.read > 0,
    evidence: counts,
    lastAt,
  }),
  recipient_canceled: ({ cancels: { counts, lastAt } }) => ({ isMet: counts.canceled > 0, evidence: counts, lastAt }),
};

/** Pure: one line for each point. */
export function judgeUse(use: RecordedUse): CheckLine[] {
  return CHECK_POINTS.map((row) => ({ ...row, ...JUDGE[row.point](use) }));
}

export async function checkUse(tx: Tx, accountId: string): Promise<CheckLine[]> {
  const bounds = Object.values(LIMITED).flatMap((limits) => limits.map(({ name, calls }) => ({ name, calls })));
  const allowed = { first: STATUS_CHECKS_IN_FIRST_HOUR, later: STATUS_CHECKS_IN_LATER_HOURS };
  return judgeUse({
    senders: await readSenderUse(tx, accountId),
    webhooks: await readWebhookUse(tx, accountId),
    limits: await readLimitUse(tx, accountId, bounds),
    statusChecks: await readStatusChecks(tx, accountId, allowed),
    errors: await readErrorUse(tx, accountId),
    cancels: await readCancelUse(tx, accountId),
  });
}

function later(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
