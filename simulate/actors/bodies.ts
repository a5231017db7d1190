/** What callers of the simulation write: valid payouts, and some that are not. */
import { ADA } from '../../test/support/payout.ts';

/** More than any balance holds. */
export const TOO_MUCH = '900000000.00';

export interface RecipientWish {
  readonly isCash: boolean;
  readonly amount: string;
  /** By it the providers know what to do; it stays when the rest is edited. */
  readonly lastName: string;
}

/** Cash is paid out for senders with papers only. */
export function senderCalled(externalId: string) {
  return { ...ADA, identification_type: 'ID', identification_number: 'AB123456', external_id: externalId };
}

export function payoutBody(wish: {
  readonly externalId: string;
  readonly inputCurrency: string;
  readonly sender: object;
  readonly recipients: readonly RecipientWish[];
}) {
  return {
    transaction: {
      external_id: wish.externalId,
      input_currency: wish.inputCurrency,
      sender: wish.sender,
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
