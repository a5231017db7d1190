/**
 * What an operator's action is refused with. These words are for operators; callers of the API never see them (theirs
 * are in kernel/refusal.ts). A refused action has changed nothing and leaves no row in the audit log.
 */
export const OPERATOR_REFUSALS = {
  unauthorized: 'the bearer token is missing, unknown or revoked',
  invalid: 'the request does not have the form that the action needs',
  account_not_found: 'no account has this id',
  api_log_not_found:
    'no call that is kept has this id: they are kept for `api_logs.retention`, and not where that is off',
  audit_not_found: 'no line of the audit log has this id',
  key_not_found: 'no API key has this text',
  operator_not_found: 'no operator has this name',
  recipient_not_found: 'no recipient has this id',
  sender_not_found: 'no sender has this id',
  recipient_not_paid: 'the recipient was not paid, so there is nothing to prove',
  file_invalid: 'the file is empty, too large, or of a kind that is not taken',
  already_attached: 'the recipient has this very file',
  too_many_files: 'the recipient has as many files as it may have',
  provider_not_found: 'no provider of this service has this name',
  currency_unknown: 'the currency is not one that the service handles',
  corridor_unknown: 'the service has no such payout or payin type',
  nothing_to_reseal: 'this process was given no `master_key_previous`: ask one that runs with both keys',
  wtr2_needs_full_kyc: 'WTR2 mode is only for accounts that do full KYC',
  balance_below_zero: 'a balance is below zero, so the permission to be there cannot be taken away',
  already_open: 'this balance was opened before',
  balance_not_open: 'the account has no balance under this name of a partner; open it first',
  insufficient_balance: 'the balance does not hold enough of the currency',
  amount_invalid:
    'the amount is not a decimal number above zero and below 10^15 minor units, or is written with an exponent',
  settlement_too_large: 'less than that was delivered to recipients, or came from payers, and is left to be settled',
  reference_needed: 'in live mode it needs the reference of the payment that it records (--reference)',
  balance_too_large: 'the balance would reach 10^15 minor units',
  rate_invalid: 'the rate is not a decimal number above zero, or it is that of the base itself',
  rate_jump: 'the rate lies further from the one in force than rates.max_change_percent allows',
  webhook_not_found: 'the account has no webhook with this id',
  webhook_disabled: 'the webhook is disabled for good; a new one has to be registered',
  transaction_not_found: 'no transaction has this id',
  rule_not_found: 'no rule for holds has this id',
  too_many_rules: 'there are as many rules for holds as there may be; remove one first',
  payin_not_found: 'no payment of a payer has this id',
  not_in_suspense: 'the payment counts for its collection; give it back with a refund of the collection',
  already_decided: 'somebody has accepted or returned it before',
  under_review:
    'its collection is under review, or its sender may not send money: decide on that first, or return the payment',
  not_a_collection: 'the transaction is a payout, into which no payer has paid',
  not_collected:
    'no money of the collection is in the balance: it was not paid, or it is held or broken; one under review is released (hold release), and then refunded at once',
  not_broken: 'the collection is neither in exception nor unconfirmed for too long, so there is nothing to resolve',
  outcome_needed: 'its provider does not confirm the payment: find out whether it came, and say that with the evidence',
  outcome_not_asked: 'the collection is in exception, and what it holds decides: leave out what became of the payment',
  reference_taken: 'a payment or a settlement with this reference is in the books already',
  already_refunded: 'the money of the collection went back to the payer before',
  report_invalid: 'the report has lines that cannot be read',
  report_too_large: 'there are more payments than one comparison takes; divide it by time',
  not_held: 'the transaction is not under review',
  edited_since:
    'it was edited since you looked, or lists say something else: look again, and name the as_of that is shown then',
  sender_holds:
    'it is held because of its sender: it goes on by itself once the sender is approved; a payout can be canceled instead, and of a deleted sender, whom nobody can approve, that is the only way',
  check_not_met: 'not every point of the onboarding check is met; admit it with a reason, or wait until it is',
  already_admitted: 'the account was admitted before',
  event_not_found: 'the account has no event with this id',
  sandbox_only: 'this exists in sandbox mode only',
  already_replaced: 'the key was replaced before',
  key_taken: 'another API key has this text',
  key_invalid: 'an API key has 4 to 100 visible characters',
  too_many_keys: 'the account has as many good keys as it may have; revoke one first',
  already_revoked: 'it was revoked before',
  name_taken: 'another operator has this name, or had it',
  name_reserved: 'this name is what the program calls itself in the audit log',
  last_operator: 'the last operator cannot be revoked, because nobody could add another one',
  not_retriable: 'only a recipient in error or manual is tried again',
  not_markable: 'only what was sent to a provider and is not finished can be marked; an error is not marked as failed',
  attempt_needed:
    'there was more than one attempt: look at it again, and say which one the evidence is about (--attempt)',
  attempt_superseded:
    'it is not the last attempt that was named: look at it again, for the money may be with the last one',
  not_cancelable:
    'it was paid; what a payer has paid into a collection under review goes back in two steps: release it (hold release), then refund it at once (payin refund)',
  transaction_waits: 'its transaction is under review, in exception or finished: no attempt is made meanwhile',
  call_under_way: 'a call to its provider is under way: try again when it is answered, in a moment',
  part_not_held: 'its part of the money has left the books already, so it cannot be tried again or refunded',
  part_paid:
    'something of it was paid, so it is not tried again nor refunded as a whole: mark it as paid once the recipient has all of it, or settle the part',
  no_part_paid: 'only an exception of which less than the whole amount was paid, and more than nothing, is settled so',
  evidence_needed: 'nobody knows whether it was paid: find out, and mark it as failed or as paid with the evidence',
  code_invalid: 'it is not the code of a failed payout: one to three digits, the first one 3, 4 or 5',
  not_in_review: 'only a sender that waits in review can be approved',
  check_due: 'the checks of the sender as it is now have not run yet: try again in a moment',
  second_person_needed: 'your approval is kept; another operator has to approve the sender too',
  not_rejectable: 'only a sender that is initial or verified can be rejected; an approved one is banned',
  not_bannable: 'it is banned already, or its caller has deleted it',
  not_liftable: 'only a ban or a rejection can be lifted',
  already_paused: 'an operator has paused it before',
  command_id_taken: 'another action was done under this command id',
} as const;

export type OperatorRefusalCode = keyof typeof OPERATOR_REFUSALS;

export interface OperatorRefusal {
  readonly code: OperatorRefusalCode;
  /** Sentences for the operator: what exactly was wrong. */
  readonly details: readonly string[];
}

/** What an operator's action gives back: its result, or why nothing was done. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: OperatorRefusal };

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refusedAction(code: OperatorRefusalCode, ...details: readonly string[]): Outcome<never> {
  return { ok: false, refusal: { code, details: details.length > 0 ? details : [OPERATOR_REFUSALS[code]] } };
}
