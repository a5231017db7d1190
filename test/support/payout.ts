/** A valid payout, as a caller would write it: what matters to a test is passed in, the rest has good defaults. */
import { randomUUID } from 'node:crypto';

export interface PayoutWish {
  readonly amount?: number | string;
  readonly requestedCurrency?: string;
  readonly inputCurrency?: string;
  readonly externalId?: string | undefined;
  readonly sender?: Readonly<Record<string, unknown>>;
  readonly recipient?: Readonly<Record<string, unknown>>;
  /** Laid over the transaction. */
  readonly over?: Readonly<Record<string, unknown>>;
}

export const ADA = {
  type: 'person',
  first_name: 'Ada',
  last_name: 'Example',
  country: 'GB',
  phone_number: '+447911123456',
  email: 'ada@example.com',
  street: '1 High Street',
  city: 'London',
  postal_code: 'N1 1AA',
  birth_date: '1990-05-17',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
  external_id: 'sender-ada',
} as const;

export const OBI = {
  type: 'NGN::Bank',
  details: {
    first_name: 'Obi',
    last_name: 'Example',
    bank_account: '1234567890',
    bank_code: '058',
    bank_account_type: '20',
  },
} as const;

export function bodyOfPayout(wish: PayoutWish = {}) {
  return {
    transaction: {
      external_id: 'externalId' in wish ? wish.externalId : randomUUID(),
      input_currency: wish.inputCurrency ?? 'USD',
      sender: wish.sender ?? ADA,
      recipients: [
        {
          requested_amount: wish.amount ?? 100,
          requested_currency: wish.requestedCurrency ?? 'USD',
          payout_method: OBI,
          ...wish.recipient,
        },
      ],
      ...wish.over,
    },
  };
}
