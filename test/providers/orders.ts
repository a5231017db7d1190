/** A valid order: what matters to a test is passed in, the rest has good defaults. */
import type { PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import { NOON } from '../support/manual-clock.ts';
import { OBI } from '../support/payout.ts';

let made = 0;

export function anOrder(over: Partial<PayoutOrder> = {}): PayoutOrder {
  made += 1;
  return {
    reference: `order-${made}`,
    accountId: '0b8f9a52-6d7e-7000-8000-000000000001',
    transactionId: '0b8f9a52-6d7e-7000-8000-000000000002',
    recipientId: '0b8f9a52-6d7e-7000-8000-000000000003',
    payoutType: OBI.type,
    recipientType: 'person',
    details: OBI.details,
    amount: { minor: 150_000n, currency: 'NGN' },
    sender: { first_name: 'Ada', last_name: 'Example', country: 'GB' },
    attemptNumber: 1,
    startedAt: NOON,
    ...over,
  };
}

/** The same order to a recipient whose name asks the sandbox for an outcome. */
export function orderAsking(word: string, over: Partial<PayoutOrder> = {}): PayoutOrder {
  const order = anOrder(over);
  return { ...order, details: { ...order.details, first_name: 'Sandbox', last_name: word } };
}

/** Nobody gives up. */
export function patience(): AbortSignal {
  return new AbortController().signal;
}
