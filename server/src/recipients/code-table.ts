/**
 * The published codes of a payout, in their order: each with its three messages, from the rough one to the exact one,
 * and a description in our words, which tells what happened and promises nothing: it stays when the state changes. The
 * category follows from the code (error-codes.ts). docs/payout-codes.md shows the same rows. Spec: Error detail object.
 * Open point OP-23.
 */
import { type CodeRow, codeRow as row, TIERS } from '../providers/code-row.ts';

const { PAID, PENDING, ACTION, TEMPORARY, USER, DETAILS, LIMITS, SENDER, CANCELED } = TIERS;

// biome-ignore format: a table is read as a table
export const CODE_TABLE: readonly CodeRow[] = [
  row('0', PAID, PAID, PAID, 'The recipient has the money.'),
  row('1', PENDING, PENDING, PENDING, 'The provider has not told the outcome yet.'),
  row('11', PENDING, 'Unknown', 'Unknown', 'The outcome is not known; the provider is being asked.'),
  row('12', PENDING, 'Timeout error', 'Timeout error', 'The provider gave no answer in time; it is asked again.'),
  row('13', PENDING, 'Manual reconciliation required', 'Manual reconciliation required', 'People have to look into it before the outcome is known.'),
  row('14', PENDING, PENDING, PENDING, 'The provider has taken the order and will confirm it.'),
  row('15', PENDING, 'Unauthorized error', 'Unauthorized error', 'The provider did not accept our credentials; the outcome is awaited.'),
  row('16', PENDING, PENDING, PENDING, 'The provider reviews the payment against money laundering.'),
  row('17', PENDING, 'Reset rate required', 'Reset rate required', 'The payment waits for a new exchange rate.'),
  row('18', PENDING, PENDING, 'Information requested', 'Compliance holds the payment and has asked for information.'),
  row('2', ACTION, ACTION, ACTION, 'The recipient has to act before the money is paid.'),
  row('21', ACTION, 'Pickupable', 'Pickupable', 'The cash is ready and can be picked up.'),
  row('22', ACTION, 'Mandate signing required', 'Mandate signing required', 'The recipient has to sign a mandate first.'),
  row('23', ACTION, 'OTP verification required', 'OTP verification required', 'A one-time code has to be confirmed first.'),
  row('3', TEMPORARY, 'Provider Error', 'Undefined provider error', 'The provider does not take the payment for now.'),
  row('31', TEMPORARY, 'Switch Error', 'Undefined switch error', 'The national payment switch does not take payments for now.'),
  row('311', TEMPORARY, 'Switch Error', 'Issuer/Switch inoperative', 'The bank or the national payment switch is out of service.'),
  row('32', TEMPORARY, 'User bank error', 'Undefined bank error', "The recipient's bank does not take payments for now."),
  row('321', TEMPORARY, 'User bank error', 'Beneficiary bank not available', "The recipient's bank is out of reach."),
  row('33', TEMPORARY, 'Not Found', 'Transaction code already exists', 'The provider has another order with this reference and did not take this one.'),
  row('331', TEMPORARY, 'Not Found', 'Transaction does not exist', 'The provider has no such order.'),
  row('34', TEMPORARY, 'Suspected Duplicate Transaction', 'Suspected Duplicate Transaction', 'The provider takes the payment for a repeat of another one.'),
  row('4', USER, 'User error', 'Unspecified user error', 'The details of the recipient were turned down; no reason was given.'),
  row('41', USER, DETAILS, DETAILS, 'The details of the recipient are wrong.'),
  row('411', USER, DETAILS, 'Invalid card number', 'The card number is wrong.'),
  row('412', USER, DETAILS, 'Invalid mobile number', 'The phone number is wrong.'),
  row('413', USER, DETAILS, 'Mobile number not registered for network', 'The phone number belongs to another operator.'),
  row('414', USER, DETAILS, 'Mobile number not registered for mobile money', 'The phone number has no mobile wallet.'),
  row('415', USER, DETAILS, 'Invalid OTP Error', 'The one-time code is wrong or no longer valid.'),
  row('416', USER, DETAILS, 'Invalid account number', 'The account number is wrong.'),
  row('42', USER, LIMITS, LIMITS, 'The payment goes beyond a limit of the account.'),
  row('421', USER, LIMITS, 'Exceeded daily transfer limits', 'The payment goes beyond what the account may receive in a day.'),
  row('422', USER, LIMITS, 'Bank approval required for transfer', 'The bank has to approve the payment first.'),
  row('423', USER, LIMITS, 'Maximum Balance exceeded', 'The account or wallet cannot hold that much.'),
  row('43', USER, ACTION, 'User not allowed to receive funds', 'The recipient is not allowed to receive money.'),
  row('431', USER, ACTION, 'User account is dormant', 'The account is dormant.'),
  row('432', USER, ACTION, 'User account has invalid status', 'The account is in a state in which it takes no money.'),
  row('433', USER, ACTION, 'User has not taken any actions for the pending funds', 'The recipient did not act within the time allowed.'),
  row('434', USER, ACTION, 'User account has insufficient funds', 'The account does not hold enough money.'),
  row('44', USER, 'Validation error', 'Name validation failed', 'The name differs from that of the account holder.'),
  row('45', USER, 'Validation error', 'Invalid amount', 'The amount is not accepted for this payment.'),
  row('5', SENDER, 'Transaction error', 'Unspecified transaction error', 'The payment cannot be made; no reason was given.'),
  row('51', SENDER, 'AML suspicion', 'An AML suspicion alert was raised', 'The payment was stopped by a check against money laundering.'),
  row('511', SENDER, 'AML suspicion', 'Sender not allowed to transact', 'The sender is not allowed to send money.'),
  row('52', SENDER, 'Invalid sender details', 'Invalid sender details', 'The details of the sender are wrong.'),
  row('53', SENDER, 'Invalid transaction details', 'Invalid transaction details', 'The details of the payment are wrong.'),
  row('531', SENDER, 'Invalid transaction details', 'Invalid amount provided', 'The amount cannot be paid in this way.'),
  row('54', SENDER, CANCELED, CANCELED, 'The payment was canceled.'),
  row('541', SENDER, CANCELED, `${CANCELED} by user`, 'The recipient canceled the payment.'),
  row('542', SENDER, CANCELED, `${CANCELED} by sender`, 'The sender canceled the payment.'),
  row('543', SENDER, CANCELED, `${CANCELED} by provider`, 'The provider canceled the payment.'),
];
