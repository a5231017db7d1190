/** What becomes of an order at a simulated provider: drawn for each recipient and attempt from a stream of its own. */
import type { Chance } from '../chance.ts';

export interface Fate {
  /** What happens to the order when it arrives; `lost`: it does not at first, `down`: it is turned down at first. */
  readonly on: 'paid' | 'taken' | 'failed' | 'lost' | 'down' | 'overpaid' | 'underpaid';
  readonly code: string;
  /** So often it is lost or turned down before it is taken, when it is sent again under the same reference. */
  readonly refusals: number;
  /** Milliseconds until the answer; undefined: none comes, and the caller gives up. */
  readonly answerMs: number | undefined;
  /** When it is decided, counted from its arrival, and how. */
  readonly decideMs: number;
  readonly decides: 'paid' | 'failed';
  /** So many callbacks tell of the decision, after these times. */
  readonly callbacksMs: readonly number[];
  /** Contradicts itself: pays after all what it said had failed or was canceled. */
  readonly paysAfterAll: number | undefined;
  /** Cash: what it says when the order is to be taken back or changed. */
  readonly onCancel: 'canceled' | 'refused' | 'silent' | 'canceled silently';
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Temporary, of the recipient, of the sender, unknown to the tables. */
const CODES = ['3', '331', '416', '511', '543', '999', 'words'];
/** Longer than the time limit of a call (plan.ts). */
const TOO_SLOW_MS = 3_500;

/** How rough it is: a calm provider mostly pays at once. */
export interface Temper {
  readonly trouble: number;
  readonly lies: number;
}

export function drawFate(chance: Chance, { trouble, lies }: Temper): Fate {
  const isRough = chance.percent(trouble);
  return {
    on: isRough
      ? chance.weighted([
          [30, 'paid'],
          [35, 'taken'],
          [20, 'failed'],
          [8, 'lost'],
          [8, 'down'],
          [2, 'overpaid'],
          [1, 'underpaid'],
        ])
      : chance.weighted([
          [80, 'paid'],
          [20, 'taken'],
        ]),
    code: chance.pick(CODES),
    answerMs: isRough && chance.percent(25) ? chance.pick([undefined, TOO_SLOW_MS]) : chance.between(20, 900),
    decideMs: chance.weighted([
      [30, SECOND_MS],
      [30, 20 * SECOND_MS],
      [20, 3 * MINUTE_MS],
      [15, 40 * MINUTE_MS],
      [isRough ? 5 : 0, 26 * HOUR_MS],
    ]),
    decides: chance.percent(isRough ? 60 : 97) ? 'paid' : 'failed',
    callbacksMs: drawCallbacks(chance),
    paysAfterAll: chance.percent(lies) ? chance.pick([MINUTE_MS, HOUR_MS, 30 * HOUR_MS]) : undefined,
    onCancel: chance.pick(['canceled', 'canceled', 'refused', 'silent', 'canceled silently']),
    refusals: chance.pick([1, 1, 2]),
  };
}

/** None, one, or several of which the last comes first. */
function drawCallbacks(chance: Chance): number[] {
  const times = chance.weighted([
    [30, 0],
    [45, 1],
    [20, 2],
    [5, 4],
  ]);
  return Array.from({ length: times }, () => chance.between(0, 5 * SECOND_MS));
}
