/**
 * The published codes that a collection can show: each with its three messages, from the rough one to the exact one,
 * and a description in our words. The category follows from the code (error-codes.ts). docs/collections.md shows the
 * same rows. Spec: Error detail object. Open point OP-24.
 */
import { type CodeRow, codeRow as row, TIERS } from '../providers/code-row.ts';

const { PAID, PENDING, ACTION, TEMPORARY, USER, DETAILS, LIMITS, SENDER, CANCELED } = TIERS;

// biome-ignore format: a table is read as a table
export const PAYIN_CODES: readonly CodeRow[] = [
  row('0', PAID, PAID, PAID, 'The money of the payer is here.'),
  row('1', PENDING, PENDING, PENDING, 'The payer has not paid yet.'),
  row('14', PENDING, 'Pending status update', 'Pending status update', 'The provider has to confirm the payment.'),
  row('2', ACTION, ACTION, ACTION, 'The payer has to do something first.'),
  row('23', ACTION, 'OTP verification required', 'OTP verification required', 'The payer has to give the one-time code.'),
  row('3', TEMPORARY, 'Provider Error', 'Undefined provider error', 'The provider takes no payments at the moment; it is tried again.'),
  row('31', TEMPORARY, 'Switch Error', 'Undefined switch error', 'The national payment switch takes no payments at the moment; it is tried again.'),
  row('32', TEMPORARY, 'User bank error', 'Undefined bank error', 'The bank of the payer makes no payments at the moment; it is tried again.'),
  row('4', USER, 'User error', 'Unspecified user error', 'The payment was refused without a reason.'),
  row('41', USER, DETAILS, DETAILS, 'The details of the payer are wrong.'),
  row('412', USER, DETAILS, 'Invalid mobile number', 'The phone number of the payer is wrong.'),
  row('413', USER, DETAILS, 'Mobile number not registered for network', 'The phone number belongs to another operator.'),
  row('414', USER, DETAILS, 'Mobile number not registered for mobile money', 'The phone number has no mobile wallet.'),
  row('415', USER, DETAILS, 'Invalid OTP Error', 'The one-time code is wrong or too old.'),
  row('416', USER, DETAILS, 'Invalid account number', 'The account number of the payer is wrong.'),
  row('42', USER, LIMITS, LIMITS, 'A limit of the payer is exceeded.'),
  row('421', USER, LIMITS, 'Exceeded daily transfer limits', 'The daily limit of the payer is exceeded.'),
  row('43', USER, ACTION, 'User not allowed to receive funds', 'The account of the payer does not allow this.'),
  row('431', USER, ACTION, 'User account is dormant', 'The account of the payer is dormant.'),
  row('432', USER, ACTION, 'User account has invalid status', 'The account of the payer is in a state that blocks it.'),
  row('433', USER, ACTION, 'User has not taken any actions for the pending funds', 'The payer did not answer in time.'),
  row('434', USER, ACTION, 'User account has insufficient funds', 'The payer does not have enough money.'),
  row('44', USER, 'Validation error', 'Name validation failed', 'The name differs from that of the account holder.'),
  row('45', USER, 'Validation error', 'Invalid amount', 'Another amount came in than was asked for; it does not count for this collection.'),
  row('5', SENDER, 'Transaction error', 'Unspecified transaction error', 'The payment did not come in; no reason was given.'),
  row('51', SENDER, 'AML suspicion', 'An AML suspicion alert was raised', 'The payment was stopped by a check against money laundering.'),
  row('511', SENDER, 'AML suspicion', 'Sender not allowed to transact', 'The payer is not allowed to send money.'),
  row('52', SENDER, 'Invalid sender details', 'Invalid sender details', 'The details of the payer are wrong at the provider.'),
  row('53', SENDER, 'Invalid transaction details', 'Invalid transaction details', 'The details of the payment are wrong.'),
  row('531', SENDER, 'Invalid transaction details', 'Invalid amount provided', 'The amount cannot be collected in this way.'),
  row('54', SENDER, CANCELED, CANCELED, 'The payment was canceled.'),
  row('541', SENDER, CANCELED, `${CANCELED} by user`, 'The payer canceled the payment.'),
  row('542', SENDER, CANCELED, `${CANCELED} by sender`, 'The payment was canceled on the side of the payer.'),
  row('543', SENDER, CANCELED, `${CANCELED} by provider`, 'The provider canceled the payment; it can be tried with other details.'),
];
