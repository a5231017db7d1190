/**
 * A refusal: the caller asked for something that cannot be done, and nothing was changed. Decisions return lists of
 * refusals; only faults are thrown. The words are what a caller reads in `errors` (docs/errors.md, one row each).
 * `blank` and `invalid` are published; all others are ours. Open point OP-76.
 */
export const REFUSALS = {
  blank: 'a required field is missing or empty',
  invalid: 'the value does not have the form that the field needs',
  not_a_number: 'an amount is neither a decimal string nor a JSON number',
  not_positive: 'an amount is zero or below, or becomes zero by rounding',
  too_many_digits: 'a JSON number has more than 15 significant digits; send a decimal string instead',
  too_many_decimals: 'an amount that an operator gives has digits below the minor unit of its currency',
  too_large: 'an amount reaches 10^15 minor units, or a list or text is longer than its bound',
  too_short: 'a text is shorter than its least length',
  not_in_list: 'the value is not one of the allowed ones',
  not_found: 'an id in the body names nothing that this account has',
  taken: 'another object of this account already has this external_id; it is returned in meta.existing',
  attached_elsewhere: 'the document belongs to another sender',
  disabled: 'it was deleted; it can be read, but neither changed nor used',
  corridor_not_active: 'the corridor is not active: nothing of this type is taken at the moment',
  corridor_not_permitted: 'the account may not use this type',
  below_minimum: 'the recipient would receive less than the least amount of the corridor',
  above_maximum: 'the recipient would receive more than the largest amount of the corridor',
  same_currency: 'input and payout currency are the same, and the account may not pay out without exchange',
  wtr2_not_allowed: 'the corridor needs a sender with all details, which WTR2 mode does not ask for',
  currency_unknown: 'the currency is not one that the service handles',
  rate_unavailable: 'no exchange rate is set between the two currencies',
  insufficient_balance: 'the balance does not hold enough of the currency',
  amount_mismatch: 'the amount differs from the input_amount of the transaction',
  currency_mismatch: 'the currency differs from the input_currency of the transaction',
  already_funded: 'the transaction was funded before',
  expired: 'the transaction was not funded within one hour of its creation',
  canceled: 'the transaction is canceled',
  sender_not_approved: 'the sender may not transact in its present state',
  https_required: 'the address of a webhook has to be an https address',
  not_public: 'the address of a webhook leads to a place that cannot be reached from outside',
  credentials_in_address: 'the address of a webhook holds a user name or a password',
  too_many_webhooks: 'the account has as many webhooks as it may have; delete one first',
  collection_not_debited: 'a collection is paid by its payer and cannot be funded from the balance',
  not_funded: 'the transaction was not funded',
  under_review: 'the transaction is under review; nothing is paid out meanwhile',
  finished: 'nothing of the transaction is open any more',
  not_cancelable: 'it was paid, or broke off, and cannot be canceled',
  not_editable: 'it is finished, an edit would not help, or this field cannot be changed',
  output_amount_changes: 'with these details another amount would be paid out than was quoted',
  balance_recipient_required: 'payin methods go together with exactly one recipient, of type <CURRENCY>::Balance',
  not_balance_currency: 'a collection is requested in the currency of the balance that it goes to',
  not_a_collection: 'the transaction is a payout: nobody pays in',
  not_retriable: 'the payin method is not in error, or its collection takes no more money',
  sender_incomplete: 'the corridor asks for details of the sender that it does not have',
  check_not_offered: 'accounts of this country, currency and method cannot be checked',
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export interface Refusal {
  readonly code: RefusalCode;
  /** Where in the refused object: `['recipients', 0, 'requested_amount']`. Empty: the object as a whole. */
  readonly path: readonly (string | number)[];
  /** What the words of the code leave out and a caller finds nowhere else: told behind them, in `meta.error`. */
  readonly says?: string;
}

export function refuse(code: RefusalCode, ...path: (string | number)[]): Refusal {
  return { code, path };
}

/** What a check gives back: the value, or every reason why there is none. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function refused(...refusals: readonly Refusal[]): Checked<never> {
  return { ok: false, refusals };
}
