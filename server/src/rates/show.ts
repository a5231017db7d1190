/**
 * What Prometheus is told of the rates that this process quotes by: how old they are, and whether its source brings new
 * ones. Gauges, because the source is read again and again: a rate that stays refused would be counted at every turn,
 * and by every process. Labels are currencies of the service, of which there are few.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { RateBook } from './book.ts';

const MS_PER_SECOND = 1_000;

export function showRates(
  { gauge }: Pick<Metrics, 'gauge'>,
  rates: Pick<RateBook, 'current' | 'source'>,
  clock: Clock,
): void {
  const labels = ['currency'] as const;
  const age = { name: 'payferry_rate_age_seconds', help: 'Age of the rate in force. None for made-up prices.', labels };
  gauge(age, () => {
    const sheet = rates.current();
    if (sheet.sample) return [];
    const nowMs = clock.now().getTime();
    return [...sheet.rates].map(([currency, { asOf }]) => ({
      labels: { currency },
      value: Math.max(0, nowMs - asOf.getTime()) / MS_PER_SECOND,
    }));
  });
  const refused = {
    name: 'payferry_rate_refused',
    help: '1: a newer rate of the source was not taken, because it lies too far from the one in force.',
    labels,
  };
  gauge(refused, () => {
    const standing = rates.source();
    if (!standing) return [];
    return [...rates.current().rates.keys()].map((currency) => ({
      labels: { currency },
      value: standing.refused.has(currency) ? 1 : 0,
    }));
  });
  const broken = {
    name: 'payferry_rate_source_broken',
    help: '1: the source of rates cannot be read or used, and earlier rates are in force.',
    labels: [],
  };
  gauge(broken, () => {
    const standing = rates.source();
    return standing ? [{ labels: {}, value: standing.isBroken ? 1 : 0 }] : [];
  });
}
