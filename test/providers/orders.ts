/** A valid order: what matters to a test is passed in, the rest has good defaults. */
import type { PayoutOrder } from '../../server/src/providers/payout-provider.ts';
import { NOON } from '../support/manual-clock.ts';

let made = 0;

export function anOrder(over: Partial<PayoutOrder> = {}): PayoutOrder {
  made += 1;
  return {
    reference: `order-${made}`,
    accountId: '0b8f9a52-6d7e-7000-8000-000000000001',
    transactionId: '0b8f9a52-6d7e-7000-8000-000000000002',
    recipientId: '0b8f9a52-6d7e-7000-8000-000000000003',
    payoutType: 'NGN::Bank',
    recipientType: 'person',
    details: {
      first_name: 'Obi',
      last_name: 'Example',
      bank_account: '1234567890',
      bank_code: '058',
      bank_account_type: '20',
    },
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
