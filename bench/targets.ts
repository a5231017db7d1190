/**
 * What the figures of the benchmark should be: the one table. A figure is named `measurement.kind`; `ratio` is the rate
 * as a multiple of pgbench's in the same run, and `one/other` compares two measurements of ours.
 */

export interface Target {
  readonly figure: string;
  readonly bound: 'least' | 'most';
  readonly value: number;
  /** What would be better still. */
  readonly aim?: number;
  readonly says: string;
}

export interface Verdict extends Target {
  readonly found: number;
  readonly isMet: boolean;
  /** Undefined where nothing better was aimed at. */
  readonly isAimReached: boolean | undefined;
}

export const TARGETS: readonly Target[] = [
  { figure: 'start_existing.ms', bound: 'most', value: 2_000, says: 'start on an existing directory, to ready' },
  { figure: 'catalogue.ms', bound: 'most', value: 200, says: 'all corridor files read and checked' },
  { figure: 'recipient.micros', bound: 'most', value: 50, says: 'one recipient checked, in the slowest corridor' },
  {
    figure: 'screening.recall',
    bound: 'least',
    value: 0.99,
    says: 'names on a list that are found, of a labelled set',
  },
  { figure: 'screening.precision', bound: 'least', value: 0.9, says: 'names found that are on a list' },
  { figure: 'screening.p99_ms', bound: 'most', value: 10, says: 'one name against 50,000 entries: 99 of 100 within' },
  { figure: 'fund_one_hot_balance.ratio', bound: 'least', value: 1.5, says: 'funding without HTTP, one hot balance' },
  {
    figure: 'http_many_balances.ratio',
    bound: 'least',
    value: 0.6,
    aim: 1,
    says: 'signed create_and_fund over HTTP, 256 connections',
  },
  { figure: 'http_many_balances.p99_ms', bound: 'most', value: 150, says: 'the same: 99 of 100 answered within' },
  {
    figure: 'http_two_processes.ratio',
    bound: 'least',
    value: 0.6,
    aim: 1,
    says: 'the same callers, half of them on a second process',
  },
  { figure: 'http_two_processes.p99_ms', bound: 'most', value: 150, says: 'the same: 99 of 100 answered within' },
  {
    figure: 'http_one_hot_balance/http_many_balances',
    bound: 'least',
    value: 0.9,
    says: 'one hot balance against many',
  },
  {
    figure: 'http_stored_transactions/http_nearly_empty',
    bound: 'least',
    value: 0.8,
    says: 'a million stored transactions against none (full form)',
  },
  {
    figure: 'memory_after_100000.mb',
    bound: 'most',
    value: 350,
    says: 'memory of the process after 100,000 payouts or more',
  },
  {
    figure: 'memory.growth',
    bound: 'most',
    value: 1.1,
    says: 'the same, as a multiple of that after half of the payouts: 1 where it stays flat',
  },
  { figure: 'payouts_paid.ratio', bound: 'least', value: 0.4, says: 'funded payouts to paid' },
  {
    figure: 'webhooks_delivered.ratio',
    bound: 'least',
    value: 0.25,
    aim: 0.5,
    says: 'events delivered to a local receiver',
  },
  {
    figure: 'webhooks_at_half_rate.p99_ms',
    bound: 'most',
    value: 250,
    says: 'commit to delivery at half that rate: 99 of 100 within',
  },
  {
    figure: 'webhooks_one_of_ten_dead/webhooks_at_half_rate',
    bound: 'most',
    value: 1.2,
    says: 'the same wait with one dead endpoint among ten, against none',
  },
  {
    figure: 'end_to_end.ratio',
    bound: 'least',
    value: 0.2,
    aim: 0.35,
    says: 'create_and_fund over HTTP, paid, told by webhook and checked',
  },
  { figure: 'end_to_end.p99_ms', bound: 'most', value: 2_000, says: 'acceptance to webhook: 99 of 100 within' },
  { figure: 'end_to_end.lost', bound: 'most', value: 0, says: 'payouts accepted and never told of' },
];

/** One for each target whose figure was measured. */
export function judge(
  figures: Readonly<Record<string, number>>,
  targets: readonly Target[] = TARGETS,
): readonly Verdict[] {
  return targets.flatMap((target) => {
    const found = figures[target.figure];
    if (found === undefined) return [];
    const reaches = (value: number) => (target.bound === 'least' ? found >= value : found <= value);
    const isAimReached = target.aim === undefined ? undefined : reaches(target.aim);
    return [{ ...target, found, isMet: reaches(target.value), isAimReached }];
  });
}

export function boundOf({ bound, value, aim }: Target): string {
  const words = `at ${bound} ${value.toLocaleString('en-US')}`;
  return aim === undefined ? words : `${words}, aim ${aim}`;
}

const DIGITS = 4;
/** What floating point makes of a number of few digits is told from a further digit by this. */
const EXACT_DIGITS = 12;

/** Four digits, or all in front of the point; cut towards the worse: nothing looks better than it was judged. */
export function shown(found: number, bound: Target['bound'] = 'least'): string {
  const inFront = found === 0 ? 0 : Math.floor(Math.log10(Math.abs(found))) + 1;
  const behind = Math.max(0, DIGITS - inFront);
  const scaled = Number((found * 10 ** behind).toPrecision(EXACT_DIGITS));
  const cut = bound === 'least' ? Math.floor(scaled) : Math.ceil(scaled);
  return (cut / 10 ** behind).toLocaleString('en-US', { maximumFractionDigits: behind });
}

/** For a terminal. */
export function verdictLine(verdict: Verdict): string {
  const word = verdict.isMet ? 'met' : 'NOT MET';
  return `  ${word.padEnd(8)} ${verdict.figure} ${shown(verdict.found, verdict.bound)} (${boundOf(verdict)})`;
}
