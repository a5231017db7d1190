/**
 * The object of a refused request: what the caller sent, with the descriptor of each payout method that is known, so that
 * all allowed values can be read from the answer. Spec: Payout method (fields descriptor).
 */
import type { Catalogue } from '../corridors/catalogue.ts';
import { isObject } from '../documents/storable.ts';
import { withoutUploads } from '../documents/view.ts';

/** A list that is too long comes back as it was: a descriptor can be a thousand times as long as its type. */
export function viewRefused(input: unknown, catalogue: Catalogue, maxRecipients: number): unknown {
  if (!isObject(input)) return input;
  const { sender, recipients } = input;
  return {
    ...input,
    ...(sender !== undefined && { sender: withoutUploads(sender) }),
    ...(Array.isArray(recipients) &&
      recipients.length <= maxRecipients && {
        recipients: recipients.map((recipient: unknown) => viewRefusedRecipient(recipient, catalogue)),
      }),
  };
}

function viewRefusedRecipient(recipient: unknown, catalogue: Catalogue): unknown {
  if (!isObject(recipient)) return recipient;
  const method = recipient['payout_method'];
  if (!isObject(method) || typeof method['type'] !== 'string') return recipient;
  const fields = catalogue.payout(method['type'])?.fields(recipient['type'] === 'business' ? 'business' : 'person');
  return { ...recipient, payout_method: { ...method, ...(fields && { fields }) } };
}
