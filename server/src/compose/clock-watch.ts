/**
 * Whether the clock of this machine agrees with the database's, which all processes share. Expiry and refunds go by the
 * clock: a process that is a day ahead would refund what was funded a moment ago. Looked at when it starts, every
 * minute, and at once when the clock was moved.
 */
import type { Clock } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import type { Log } from '../kernel/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { databaseTimeMs } from '../storage/database-time.ts';
import { every } from './every.ts';

/** The message says what to do. */
export class ClockDisagrees extends Error {
  override readonly name = 'ClockDisagrees';
}

interface ClockWatch {
  /** Undefined while the clock can be worked by. Never fails. */
  whyNot(): Promise<string | undefined>;
  close(): Promise<void>;
}

interface ClockWatchParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly maxSkewMs: number;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'gauge'>;
  /** A clock that nobody moves, from any beginning. */
  readonly steadyMs?: () => number;
}

interface Look {
  /** How far we are ahead; less than 0: behind. */
  readonly aheadMs: number;
  /** The time between question and answer, within which the database may have looked at its clock at any moment. */
  readonly roundTripMs: number;
  /** The distance between both clocks of this machine. It changes when one of them is moved. */
  readonly originMs: number;
}

const LOOK_EVERY_MS = 60_000;
const MS_PER_SECOND = 1_000;

/** Throws ClockDisagrees when it does not agree at the start. */
export async function watchClock(parts: ClockWatchParts): Promise<ClockWatch> {
  const { db, clock, maxSkewMs, log, metrics, steadyMs = () => performance.now() } = parts;
  const originMs = () => clock.now().getTime() - steadyMs();
  let last = await look(db, originMs, steadyMs);
  const atStart = disagreement(last, maxSkewMs);
  if (atStart !== undefined) throw new ClockDisagrees(`${atStart}. Set it right, for example by NTP, and start again.`);
  metrics.gauge(
    { name: 'payferry_clock_skew_seconds', help: "This machine's clock less the database's.", labels: [] },
    () => [{ labels: {}, value: last.aheadMs / MS_PER_SECOND }],
  );
  const lookAgain = async () => {
    const before = disagreement(last, maxSkewMs);
    last = await look(db, originMs, steadyMs);
    const now = disagreement(last, maxSkewMs);
    if (now !== undefined) log.error(`${now}: no work is begun until it agrees`);
    else if (before !== undefined) log.info('the clock agrees with the database again');
  };
  let looking: Promise<void> | undefined;
  const lookOnce = () => {
    looking ??= lookAgain().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  // Looked at too seldom to say when it is over: others do.
  const onFault = log.turnsOf('clock').failed;
  const isMoved = () => Math.abs(originMs() - last.originMs) > maxSkewMs;
  return {
    whyNot: async () => {
      if (isMoved()) await lookOnce().catch(onFault);
      return isMoved() ? 'the clock was moved, and the database does not answer' : disagreement(last, maxSkewMs);
    },
    close: every(LOOK_EVERY_MS, lookOnce, onFault),
  };
}

/** The time in the middle between question and answer is taken for the one at which the database looked. */
async function look(db: Database, originMs: () => number, steadyMs: () => number): Promise<Look> {
  return db.inTx(async (tx) => {
    const origin = originMs();
    const askedMs = steadyMs();
    const databaseMs = await databaseTimeMs(tx);
    const roundTripMs = steadyMs() - askedMs;
    const aheadMs = origin + askedMs + roundTripMs / 2 - databaseMs;
    return { aheadMs, roundTripMs, originMs: origin };
  });
}

/** Only what is certain counts: a slow answer proves little. */
function disagreement({ aheadMs, roundTripMs }: Look, maxSkewMs: number): string | undefined {
  if (Math.abs(aheadMs) - roundTripMs / 2 <= maxSkewMs) return undefined;
  const seconds = (Math.abs(aheadMs) / MS_PER_SECOND).toFixed(1);
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this machine is ${seconds} s ${side} the database's (at most ${maxSkewMs / MS_PER_SECOND} s: database.max_clock_skew)`;
}
