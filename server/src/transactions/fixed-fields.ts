/**
 * What an edit of a recipient may name and not change: what is paid, in which currency and by which type. A value that
 * is equal to the stored one is let pass, so that a recipient can be sent back as it was read; one that is not would be
 * paid otherwise than its caller believes. Refuses with not_editable at the field. Pure. Open point OP-45.
 */
import { type Refusal, refuse } from '../kernel/refusal.ts';
import { isBlank, isObject } from '../kernel/storable.ts';
import type { CurrencyCode } from '../money/currencies.ts';
import { parseAmount, parseExactAmount } from '../money/parse.ts';
import type { Recipient } from '../recipients/recipient.ts';

export function changedFixedFields(recipient: Recipient, input: unknown): Refusal[] {
  if (!isObject(input)) return [];
  const method = isObject(input['payout_method']) ? input['payout_method'] : {};
  const { requestedAmount, requestedCurrency, inputAmount, inputCurrency, outputAmount, outputCurrency } = recipient;
  const fields: readonly (readonly [keeps: boolean, ...path: string[]])[] = [
    [isSame(input['type'], recipient.type), 'type'],
    [isSameAmount(input['requested_amount'], requestedAmount, requestedCurrency), 'requested_amount'],
    [isSame(input['requested_currency'], requestedCurrency), 'requested_currency'],
    [isSameAmount(input['input_amount'], inputAmount, inputCurrency), 'input_amount'],
    [isSame(input['input_currency'], inputCurrency), 'input_currency'],
    [isSameAmount(input['output_amount'], outputAmount, outputCurrency), 'output_amount'],
    [isSame(input['output_currency'], outputCurrency), 'output_currency'],
    [isSame(method['id'], recipient.payoutMethodId), 'payout_method', 'id'],
    [isSame(method['type'], recipient.payoutType), 'payout_method', 'type'],
  ];
  return fields.filter(([keeps]) => !keeps).map(([, ...path]) => refuse('not_editable', ...path));
}

/** Client libraries send fields that were not set as null. */
function isSame(sent: unknown, stored: string): boolean {
  return isBlank(sent) || sent === stored;
}

/**
 * By value, as it would be read in a new transaction: "20000.00" is 20000. What a payer has paid in may have subunits
 * that nobody could ask for, and is compared to the last digit.
 */
function isSameAmount(sent: unknown, stored: bigint, currency: CurrencyCode): boolean {
  if (isBlank(sent)) return true;
  return [parseAmount(sent, currency), parseExactAmount(sent, currency)].some(
    (parsed) => parsed.ok && parsed.value.minor === stored,
  );
}
