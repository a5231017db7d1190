/**
 * The object of a refused request: what the caller sent, with the descriptor of each payout and payin method that is
 * known, so that all allowed values can be read from the answer. Spec: Payout method (fields descriptor).
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { isObject } from '../kernel/storable.ts';
import { MAX_PAYIN_METHODS } from './draft-payins.ts';

/** A list that is too long comes back as it was: a descriptor can be a thousand times as long as its type. */
export function viewRefused(input: unknown, catalogue: Catalogue, maxRecipients: number): unknown {
  if (!isObject(input)) return input;
  const { recipients, payin_methods: payins } = input;
  return {
    ...input,
    ...(Array.isArray(recipients) &&
      recipients.length <= maxRecipients && {
        recipients: recipients.map((recipient: unknown) => viewRefusedRecipient(recipient, catalogue)),
      }),
    ...(Array.isArray(payins) &&
      payins.length <= MAX_PAYIN_METHODS && {
        payin_methods: payins.map((payin: unknown) => viewRefusedPayin(payin, catalogue)),
      }),
  };
}

function viewRefusedPayin(payin: unknown, catalogue: Catalogue): unknown {
  if (!isObject(payin) || typeof payin['type'] !== 'string') return payin;
  const fields = catalogue.payin(payin['type'])?.fields();
  return { ...payin, ...(fields && { fields }) };
}

function viewRefusedRecipient(recipient: unknown, catalogue: Catalogue): unknown {
  if (!isObject(recipient)) return recipient;
  const method = recipient['payout_method'];
  if (!isObject(method) || typeof method['type'] !== 'string') return recipient;
  const fields = catalogue.payout(method['type'])?.fields(recipient['type'] === 'business' ? 'business' : 'person');
  return { ...recipient, payout_method: { ...method, ...(fields && { fields }) } };
}
