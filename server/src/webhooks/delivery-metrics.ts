/**
 * What Prometheus is told of deliveries: attempts by how they ended, and how long a delivery took from its event on.
 */
import type { Series } from '../observability/series.ts';
import type { Attempt } from './delivery.ts';
import { isDelivered } from './schedule.ts';

export type ObserveAttempt = (attempt: Attempt) => void;

const FINAL_STATES = ['delivered', 'dropped'] as const satisfies readonly Attempt['next']['state'][];
const MS_PER_SECOND = 1_000;

export function observeAttempts(metrics: Pick<Series, 'counter' | 'timing'>): ObserveAttempt {
  const attemptSeconds = metrics.timing({
    name: 'payferry_webhook_attempt_seconds',
    help: 'Attempts to deliver, by how they ended: delivered, answered otherwise, timed out, refused, failed.',
    labels: ['outcome'],
  });
  const finished = metrics.counter({
    name: 'payferry_webhook_deliveries_total',
    help: 'Deliveries that came to their end: delivered or dropped.',
    labels: ['state'],
    fromZero: FINAL_STATES.map((state) => ({ state })),
  });
  const delay = metrics.timing({
    name: 'payferry_webhook_delivery_seconds',
    help: 'Time from an event to its delivery, retries and waiting in order included.',
    labels: [],
  });
  return ({ outcome, next, delivery, endedAt }) => {
    const name = isDelivered(outcome) ? 'delivered' : outcome.kind;
    attemptSeconds({ outcome: name }, outcome.tookMs / MS_PER_SECOND);
    if (next.state === 'waiting') return;
    finished({ state: next.state });
    if (next.state === 'delivered') {
      delay({}, Math.max(0, endedAt.getTime() - delivery.eventAt.getTime()) / MS_PER_SECOND);
    }
  };
}
