/**
 * What the sandbox's payers do, by name: one story for each thing that happens in real life, the unkind ones included.
 * docs/sandbox.md shows the same words. Open point OP-173.
 */
import type { PayinAnswer, PayinOrder, Payment } from '../payin-provider.ts';
import type { NotFound } from '../payout-provider.ts';
import { shownBy } from './payin-shown.ts';

export interface PayinStep {
  /** Holds from so long after the prompt was stored, until the next step. */
  readonly fromMs: number;
  readonly answer: PayinAnswer | NotFound;
}

export interface PayinStory {
  readonly steps: readonly PayinStep[];
  /** Calls that get no answer: the prompt, or every call. */
  readonly unanswered?: 'prompt' | 'all';
  /** Does not take a prompt back. */
  readonly keeps?: true;
  /** Says that it took the prompt back, and the payer pays all the same. */
  readonly paysAnyway?: true;
}

export interface PayinWord {
  /** What follows `Sandbox` in the reference of the collection. */
  readonly word: string;
  /** For people. */
  readonly says: string;
  readonly story: (order: PayinOrder) => PayinStory;
}

const SECOND_MS = 1_000;
/** When the second half of a story begins. */
const PAYIN_TURN_MS = 60_000;
/** Longer than a collection waits. */
const AFTER_THE_HOUR_MS = 61 * PAYIN_TURN_MS;
/** The only one-time code that the sandbox does not take. */
export const WRONG_OTP = '000000';
const AWAITED = '14';
const NEEDS_OTP = '23';

export const PAYIN_WORDS: readonly PayinWord[] = [
  { word: 'Paid', says: 'paid at once', story: (order) => always(paid(order)) },
  {
    word: 'Later',
    says: 'waits with code 14; paid after a minute',
    story: (order) => then(waiting(order), paid(order)),
  },
  { word: 'Pending', says: 'the payer never pays: canceled after an hour', story: (order) => always(waiting(order)) },
  {
    word: 'Otp',
    says: 'asks for the one-time code; paid when it is given, but `000000` is wrong',
    story: otpStory,
  },
  {
    word: 'Processing',
    says: 'processing at once, confirmed after a minute',
    story: (order) => then({ kind: 'processing' }, paid(order)),
  },
  {
    word: 'Bounced',
    says: 'processing at once, and failed with code 434 after a minute',
    story: () => then({ kind: 'processing' }, failed('434')),
  },
  {
    word: 'Unconfirmed',
    says: 'processing at once, and never confirmed: for people, `payins.stuck_after` its hour',
    story: () => always({ kind: 'processing' }),
  },
  {
    word: 'Retry',
    says: 'the first prompt fails with code 3, the second one is paid',
    story: (order) => always(order.attemptNumber === 1 ? failed('3') : paid(order)),
  },
  {
    word: 'Timeout',
    says: 'no answer to the prompt, although the payer got it: paid when asked about',
    story: (order) => ({ ...always(paid(order)), unanswered: 'prompt' }),
  },
  {
    word: 'Lost',
    says: 'no answer to the prompt, and it did not arrive; sent again after a minute it is paid',
    story: (order) => then({ kind: 'not_found' }, paid(order)),
  },
  {
    word: 'Silent',
    says: 'never an answer to anything: canceled after an hour',
    story: () => ({ ...always({ kind: 'unknown', why: 'silent' }), unanswered: 'all' }),
  },
  { word: 'Less', says: 'half of the amount comes in', story: (order) => always(paid(order, half(order))) },
  { word: 'More', says: 'twice the amount comes in', story: (order) => always(paid(order, order.amount.minor * 2n)) },
  {
    word: 'Parts',
    says: 'half of the amount comes in, the other half after a minute',
    story: (order) => then(paid(order, half(order)), paid(order, half(order), order.amount.minor - half(order))),
  },
  {
    word: 'Twice',
    says: 'paid at once, and once more after a minute',
    story: (order) => then(paid(order), paid(order, order.amount.minor, order.amount.minor)),
  },
  {
    word: 'Late',
    says: 'waits; the prompt is taken back after the hour, and the payer pays a minute later all the same',
    story: (order) => ({ ...then(waiting(order), paid(order), AFTER_THE_HOUR_MS), paysAnyway: true }),
  },
  {
    word: 'Keep',
    says: 'the payer never pays, and the prompt cannot be taken back',
    story: (order) => ({ ...always(waiting(order)), keeps: true }),
  },
];

/** What payers do by themselves: they are prompted, and have paid a second later. */
export function usualPayer(order: PayinOrder): PayinStory {
  return then(waiting(order), paid(order), SECOND_MS);
}

/** The story of a code: 0 is paid, 23 needs the one-time code, 1x and 2x wait for ever, everything else fails. */
export function storyOfPayinCode(code: string, order: PayinOrder): PayinStory {
  if (code === '0') return usualPayer(order);
  if (code === NEEDS_OTP) return otpStory(order);
  const waits = code.startsWith('1') || code.startsWith('2');
  return always(waits ? waiting(order, code) : failed(code));
}

/** What it answers follows from the code in the order: nothing is kept in mind. */
export function otpStory(order: PayinOrder): PayinStory {
  const { otp } = order;
  if (otp === undefined) return always({ kind: 'needs_otp' });
  return always(otp === WRONG_OTP ? { kind: 'needs_otp', wasWrong: true } : paid(order));
}

function always(answer: PayinAnswer): PayinStory {
  return { steps: [{ fromMs: 0, answer }] };
}

function then(first: PayinAnswer | NotFound, second: PayinAnswer, fromMs = PAYIN_TURN_MS): PayinStory {
  return {
    steps: [
      { fromMs: 0, answer: first },
      { fromMs, answer: second },
    ],
  };
}

/** The payments of a prompt are numbered, so that each has the same reference whenever it is told. */
function paid(order: PayinOrder, ...amounts: readonly bigint[]): PayinAnswer {
  const minors = amounts.length === 0 ? [order.amount.minor] : amounts;
  return {
    kind: 'paid',
    payments: minors.map((minor, index): Payment => ({ reference: `${order.reference}-${index + 1}`, minor })),
  };
}

/** Never nothing, however small the amount is. */
function half({ amount }: PayinOrder): bigint {
  return amount.minor > 1n ? amount.minor / 2n : 1n;
}

function failed(code: string): PayinAnswer {
  return { kind: 'failed', code };
}

function waiting(order: PayinOrder, code = AWAITED): PayinAnswer {
  return { kind: 'waiting', code, shown: { outDetails: shownBy(order) } };
}
