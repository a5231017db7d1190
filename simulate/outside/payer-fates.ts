/**
 * What becomes of a prompt at a simulated payin provider: drawn for each collection and prompt from a stream of its
 * own.
 */
import type { Chance } from '../chance.ts';
import type { Temper } from './fates.ts';

/** One payment: when, counted from the prompt or from the right code, and how much of what was asked for. */
export interface PlannedPayment {
  readonly afterMs: number;
  readonly percent: number;
}

export interface PayerFate {
  /** `lost`: the first order does not arrive. */
  readonly on: 'prompted' | 'failed' | 'lost';
  readonly code: string;
  /** Milliseconds until the answer; undefined: none comes, and the caller gives up. */
  readonly answerMs: number | undefined;
  /** Empty: the payer never pays. */
  readonly pays: readonly PlannedPayment[];
  /** So long the provider has the money and does not confirm it; undefined: it confirms at once. */
  readonly confirmMs: number | undefined;
  readonly confirms: boolean;
  /** What it calls by itself: after these times, for each thing that happens. */
  readonly callbacksMs: readonly number[];
  /** Tells much later what was true at first. */
  readonly retellsMs: number | undefined;
  /** Somebody else tells of a payment that nobody made. */
  readonly forgery: 'none' | 'without proof' | 'by another provider';
  readonly onCancel: 'canceled' | 'refused' | 'silent' | 'canceled silently';
  /** What was on its way arrives, although the prompt had failed or was taken back. */
  readonly paysAnyway: boolean;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Temporary, of the payer, of a class without the code, unknown to the tables. */
const CODES = ['3', '3', '412', '434', '499', '999', 'words'];
/** Longer than the time limit of a call (plan.ts). */
const TOO_SLOW_MS = 3_500;

export function drawPayerFate(chance: Chance, { trouble }: Temper): PayerFate {
  const isRough = chance.percent(trouble);
  return {
    on: isRough
      ? chance.weighted([
          [60, 'prompted'],
          [30, 'failed'],
          [10, 'lost'],
        ])
      : 'prompted',
    code: chance.pick(CODES),
    answerMs: isRough && chance.percent(25) ? chance.pick([undefined, TOO_SLOW_MS]) : chance.between(20, 900),
    pays: drawPayments(chance, isRough),
    confirmMs: chance.percent(20) ? chance.pick([30 * SECOND_MS, 20 * MINUTE_MS, 90 * MINUTE_MS]) : undefined,
    confirms: chance.percent(isRough ? 60 : 95),
    callbacksMs: drawCallbacks(chance),
    retellsMs: chance.percent(isRough ? 25 : 5) ? chance.pick([10 * SECOND_MS, 30 * MINUTE_MS]) : undefined,
    forgery: isRough ? chance.pick(['none', 'none', 'none', 'without proof', 'by another provider']) : 'none',
    onCancel: chance.pick(['canceled', 'canceled', 'refused', 'silent', 'canceled silently']),
    paysAnyway: chance.percent(isRough ? 40 : 10),
  };
}

function drawPayments(chance: Chance, isRough: boolean): PlannedPayment[] {
  const afterMs = chance.weighted([
    [40, 5 * SECOND_MS],
    [30, 3 * MINUTE_MS],
    [10, 40 * MINUTE_MS],
    [isRough ? 8 : 2, HOUR_MS],
    [isRough ? 8 : 2, 61 * MINUTE_MS],
    [isRough ? 4 : 0, 30 * HOUR_MS],
  ]);
  const percents = chance.weighted<readonly number[]>([
    [isRough ? 40 : 80, [100]],
    [isRough ? 20 : 10, []],
    [isRough ? 12 : 4, [100, 100]],
    [isRough ? 10 : 2, [60]],
    [isRough ? 8 : 2, [150]],
    [isRough ? 10 : 2, [50, 50]],
  ]);
  const gapMs = chance.pick([0, 20 * SECOND_MS, 5 * MINUTE_MS, 2 * HOUR_MS]);
  return percents.map((percent, place) => ({ afterMs: afterMs + place * gapMs, percent }));
}

/** None, one, or several of which the last comes first. */
function drawCallbacks(chance: Chance): number[] {
  const times = chance.weighted([
    [35, 0],
    [40, 1],
    [20, 2],
    [5, 4],
  ]);
  return Array.from({ length: times }, () => chance.between(0, 5 * SECOND_MS));
}
