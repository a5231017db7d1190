/** What callers of the simulation write: valid payouts, and some that are not. */
export interface RecipientWish {
  readonly isCash: boolean;
  readonly amount: string;
  /** By it the providers know what to do; it stays when the rest is edited. */
  readonly lastName: string;
}

const SENDER = {
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
  identification_type: 'ID',
  identification_number: 'AB123456',
  documents: [],
  ip: '127.0.0.1',
  metadata: {},
};

export function payoutBody(wish: {
  readonly externalId: string;
  readonly inputCurrency: string;
  readonly sender: string;
  readonly recipients: readonly RecipientWish[];
}) {
  return {
    transaction: {
      external_id: wish.externalId,
      input_currency: wish.inputCurrency,
      sender: { ...SENDER, external_id: wish.sender },
      recipients: wish.recipients.map(({ isCash, amount, lastName }) => ({
        requested_amount: amount,
        requested_currency: wish.inputCurrency,
        payout_method: isCash ? cash(lastName) : bank(lastName),
      })),
    },
  };
}

function bank(lastName: string) {
  const account = { bank_account: '1234567890', bank_code: '058', bank_account_type: '20' };
  return { type: 'NGN::Bank', details: { first_name: 'Obi', last_name: lastName, ...account } };
}

function cash(lastName: string) {
  const rest = { phone_number: '+221774044400', country: 'SN', cash_provider: 'wizall' };
  return { type: 'XOF::Cash', details: { first_name: 'Awa', last_name: lastName, ...rest } };
}
