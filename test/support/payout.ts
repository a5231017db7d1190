/** A valid payout, as a caller would write it: what matters to a test is passed in, the rest has good defaults. */
import { randomUUID } from 'node:crypto';
import { EXAMPLE_PERSON } from '../../server/src/corridors/example-person.ts';

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

export const ADA = { type: 'person', ...EXAMPLE_PERSON, external_id: 'sender-ada' } as const;

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
