/** The situations of the kit, what an adapter's test arranges for each, and how the cases ask. */
import { GivenUp, within } from '../../server/src/kernel/deadline.ts';
import type { PayoutOrder, PayoutProvider } from '../../server/src/providers/payout-provider.ts';

const SITUATIONS = [
  'pays',
  'fails',
  'fails with a code that is not published',
  'waits',
  'overpays',
  'is out of service',
  'cannot be reached',
  'takes the order and goes silent',
  'loses the order and goes silent',
  'breaks off its answer',
  'answers nonsense',
  'answers about another order',
  'answers with an error page',
  'answers with a word that is not listed',
  'answers slowly',
  'waits with cash',
  'waits with cash and keeps it',
  'goes silent over cash',
] as const;

export type Situation = (typeof SITUATIONS)[number];

export interface Arranged {
  readonly provider: PayoutProvider;
  readonly order: PayoutOrder;
  /** How often the recipient of the order has been paid, where the far end keeps a book. */
  readonly timesPaid?: () => number;
  /** When the far end has got the first call, where that takes its time. */
  readonly heard?: () => Promise<void>;
  /** The far end goes on with the order by itself. */
  readonly becomes: (outcome: 'paid' | 'failed') => void;
  /** It answers again, where it was silent, broken or away. */
  readonly recovers?: () => Promise<void>;
  readonly end: () => Promise<void>;
}

/** What a case needs beside its situation. */
export type Move = 'fails later' | 'pays late' | 'recovers' | 'does not know an order';

/** How long a far end has in these tests: longer than any answer takes on a busy machine. */
const PATIENCE_MS = 20_000;
/** Where no answer is expected, so that waiting longer would prove no more. */
export const SILENCE_MS = 300;

/** As the service calls: within a time, and whatever goes wrong is unknown. */
export async function ask<Answer extends { readonly kind: string }>(
  call: (signal: AbortSignal) => Promise<Answer>,
  limitMs = PATIENCE_MS,
): Promise<Answer | { readonly kind: 'unknown' }> {
  try {
    return await within(limitMs, call);
  } catch (fault) {
    if (fault instanceof GivenUp) return { kind: 'unknown' };
    throw fault;
  }
}
