/**
 * Published codes that tell what a provider has under a reference, and not whether anybody was paid. `failed` with one
 * of them is no proof that an order failed, unless the adapter says `isNotTaken`. Open point OP-218.
 */

/** It already has an order with this reference: ours, perhaps, whose answer got lost. */
export const HAS_ORDER = '33';
/** It has no order with this reference: the truth of the moment, as `not_found` is. */
export const HAS_NO_ORDER = '331';
/** It takes the order for a repeat of another one: of itself, perhaps, when it was sent before. */
export const TAKEN_FOR_REPEAT = '34';
