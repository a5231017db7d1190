/** Makes series in one registry: counters, timings, and gauges that are read when somebody asks for the metrics. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { within } from '../kernel/deadline.ts';

interface SeriesNames<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly Label[];
}

interface CounterNames<Label extends string> extends SeriesNames<Label> {
  /**
   * The combinations that are known beforehand; they are shown from the start, as 0. An alert on an increase never sees
   * the first event of a series that appears with it. Leave out what others choose (ids, addresses, codes of servers).
   */
  readonly fromZero: readonly Labels<Label>[];
}

export type Labels<Label extends string> = Readonly<Record<Label, string>>;

export interface Sample<Label extends string> {
  readonly labels: Labels<Label>;
  readonly value: number;
}

/** Reads the present values. Called once for each scrape; what comes too late for it is not shown. */
type ReadSamples<Label extends string> = () => readonly Sample<Label>[] | Promise<readonly Sample<Label>[]>;

export interface Series {
  counter<Label extends string>(names: CounterNames<Label>): (labels: Labels<Label>, by?: number) => void;
  timing<Label extends string>(names: SeriesNames<Label>): (labels: Labels<Label>, seconds: number) => void;
  /** Bounds of the buckets, rising. */
  distribution<Label extends string>(
    names: SeriesNames<Label>,
    bounds: readonly number[],
  ): (labels: Labels<Label>, value: number) => void;
  gauge<Label extends string>(names: SeriesNames<Label>, read: ReadSamples<Label>): void;
}

const TIMING_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Prometheus gives up after ten seconds, unless told otherwise, and then has no series at all. */
const READ_WITHIN_MS = 3_000;

export function seriesIn(registry: Registry, readWithinMs = READ_WITHIN_MS): Series {
  const counter: Series['counter'] = (names) => {
    const metric = new Counter({ ...configOf(names), registers: [registry] });
    for (const labels of names.fromZero) metric.inc(labels, 0);
    return (labels, by = 1) => metric.inc(labels, by);
  };
  const distribution: Series['distribution'] = (names, bounds) => {
    const metric = new Histogram({ ...configOf(names), buckets: [...bounds], registers: [registry] });
    return (labels, value) => metric.observe(labels, value);
  };
  const countReadFault = counter({
    name: 'payferry_metric_read_faults_total',
    help: 'Gauges that could not be read when the metrics were asked for.',
    labels: ['metric'],
    // Each gauge adds itself when it is made.
    fromZero: [],
  });
  return {
    counter,
    distribution,
    timing: (names) => distribution(names, TIMING_SECONDS),
    gauge(names, read) {
      countReadFault({ metric: names.name }, 0);
      const metric = new Gauge({
        ...configOf(names),
        registers: [registry],
        // A gauge that cannot be read is left out: the others must be seen above all while the database is away, or
        // waits.
        async collect() {
          metric.reset();
          try {
            for (const { labels, value } of await within(readWithinMs, async () => read())) metric.set(labels, value);
          } catch {
            countReadFault({ metric: names.name });
          }
        },
      });
    },
  };
}

function configOf<Label extends string>({ name, help, labels }: SeriesNames<Label>) {
  return { name, help, labelNames: labels };
}
