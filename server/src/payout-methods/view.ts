/** A payout method that is kept, on the wire: the fields of the specification in their order, then its state. */
import type { Catalogue } from '../corridors/catalogue.ts';
import { NO_FIELDS } from '../corridors/descriptor.ts';
import type { PayoutMethod } from './payout-method.ts';

/** A type that the catalogue no longer has is shown without a descriptor. */
export function viewPayoutMethod(method: PayoutMethod, catalogue: Catalogue) {
  return {
    id: method.payoutMethodId,
    type: method.type,
    details: method.details,
    metadata: method.metadata,
    provider: null,
    fields: catalogue.payout(method.type)?.fields(method.recipientType) ?? NO_FIELDS,
    state: method.state,
  };
}
