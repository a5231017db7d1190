/**
 * What the sandbox can do with an order, by name: one story for each thing that a provider does in real life, the
 * unkind ones included. docs/sandbox.md shows the same words. Open point OP-105.
 */
import { HAS_NO_ORDER, HAS_ORDER } from '../order-codes.ts';
import type { NotFound, PayoutAnswer, PayoutOrder } from '../payout-provider.ts';
import { proofOf } from './proof.ts';

export interface Step {
  /** Holds from so long after the attempt began, until the next step. */
  readonly fromMs: number;
  readonly answer: PayoutAnswer | NotFound;
}

export interface Story {
  readonly steps: readonly Step[];
  /** Calls that get no answer: sending the order, or every call. */
  readonly unanswered?: 'submit' | 'all';
  readonly isSlow?: true;
  /** Neither stops nor changes an order. */
  readonly keeps?: true;
}

export interface Word {
  /** What follows `Sandbox` in the name of the recipient. */
  readonly word: string;
  /** For people. */
  readonly says: string;
  readonly story: (order: PayoutOrder, isBackup: boolean) => Story;
}

/** When the second half of a story begins. */
export const TURN_MS = 60_000;

const REFERENCE_DIGITS = 10;
const AWAITED = '14';
const READY = '21';
const PAID: PayoutAnswer = { kind: 'paid' };

export const WORDS: readonly Word[] = [
  { word: 'Paid', says: 'paid at once', story: () => always(PAID) },
  {
    word: 'Later',
    says: 'pending with code 14; paid after a minute',
    story: () => then({ kind: 'pending', code: AWAITED }, PAID),
  },
  { word: 'Pending', says: 'pending with code 14, and stays so', story: () => always(pending(AWAITED)) },
  {
    word: 'Pickup',
    says: 'cash is ready with code 21 and a payment_reference; picked up after a minute. What cash payouts do by themselves',
    story: pickup,
  },
  {
    word: 'Keep',
    says: 'cash is ready with code 21 and is never picked up; the provider neither cancels nor changes the order',
    story: (order) => ({ ...always(ready(order)), keeps: true }),
  },
  {
    word: 'Retry',
    says: 'the first attempt fails with code 3, the second one is paid',
    story: ({ attemptNumber }) => always(attemptNumber === 1 ? failed('3') : PAID),
  },
  {
    word: 'Down',
    says: 'the provider is down for this order; the second sandbox provider, where it is switched on, pays',
    story: (_order, isBackup) => always(isBackup ? PAID : { kind: 'failed', code: '3', isDown: true }),
  },
  {
    word: 'Slow',
    says: 'paid, but the answer takes two seconds',
    story: () => ({ ...always(PAID), isSlow: true }),
  },
  {
    word: 'Timeout',
    says: 'no answer when the order is sent, although it was taken: paid when asked about',
    story: () => ({ ...always(PAID), unanswered: 'submit' }),
  },
  {
    word: 'Lost',
    says: 'no answer when the order is sent, and it did not arrive; sent again after a minute it is paid',
    story: () => then({ kind: 'not_found' }, PAID),
  },
  {
    word: 'Silent',
    says: 'never an answer to anything: stuck',
    story: () => ({ ...always({ kind: 'unknown', why: 'silent' }), unanswered: 'all' }),
  },
  {
    word: 'Overpaid',
    says: 'paid twice the amount',
    story: ({ amount }) => always({ kind: 'paid', paidMinor: amount.minor * 2n }),
  },
  {
    word: 'Part',
    says: 'paid half of the amount, and no more follows: exception',
    story: ({ amount }) => always({ kind: 'paid', paidMinor: halfOf(amount.minor) }),
  },
  {
    word: 'Late',
    says: 'the first attempt fails with code 4 and is reported paid after a minute; further attempts fail',
    story: ({ attemptNumber }) => (attemptNumber === 1 ? then(failed('4'), PAID) : always(failed('4'))),
  },
  {
    word: 'Reversed',
    says: 'paid, and reported as failed with code 543 after a minute: exception',
    story: () => then(PAID, failed('543')),
  },
  {
    word: 'Proof',
    says: 'paid, with a proof of payment from the provider',
    story: (order) => always({ kind: 'paid', proof: proofOf(order) }),
  },
];

/** The story of a code: 0 is paid, 1x and 2x wait for ever, everything else fails, attempt after attempt. */
export function storyOfCode(code: string, order: PayoutOrder): Story {
  if (code === '0') return always(PAID);
  if (code.startsWith('2')) return always({ kind: 'pending', code, facts: factsOf(order) });
  return always(code.startsWith('1') ? pending(code) : failed(code));
}

export function pickup(order: PayoutOrder): Story {
  return then(ready(order), { kind: 'paid', facts: factsOf(order) });
}

function always(answer: PayoutAnswer): Story {
  return { steps: [{ fromMs: 0, answer }] };
}

function then(first: PayoutAnswer | NotFound, second: PayoutAnswer): Story {
  return {
    steps: [
      { fromMs: 0, answer: first },
      { fromMs: TURN_MS, answer: second },
    ],
  };
}

/** The smallest amount has no half, and nobody is paid nothing: it is paid as a whole. */
function halfOf(minor: bigint): bigint {
  return minor > 1n ? minor / 2n : minor;
}

function pending(code: string): PayoutAnswer {
  return { kind: 'pending', code };
}

/** Two codes would not prove alone that nothing was taken; here nothing is. */
function failed(code: string): PayoutAnswer {
  return code === HAS_ORDER || code === HAS_NO_ORDER
    ? { kind: 'failed', code, isNotTaken: true }
    : { kind: 'failed', code };
}

function ready(order: PayoutOrder): PayoutAnswer {
  return { kind: 'pending', code: READY, facts: factsOf(order) };
}

/** Made from our own reference, so that an order keeps it whatever is edited. */
function factsOf({ reference }: PayoutOrder) {
  let number = 0n;
  for (const letter of reference)
    number = (number * 31n + BigInt(letter.charCodeAt(0))) % 10n ** BigInt(REFERENCE_DIGITS);
  return { paymentReference: String(number).padStart(REFERENCE_DIGITS, '0') };
}
