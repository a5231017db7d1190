/** Where a payment is now: what was held for a collection is in the balance once that is paid. */
import { type Json, textAt } from './json.ts';

export function placeNow(payin: Json, transactionState: string): string {
  const place = textAt(payin, 'place');
  const isCollected = place === 'held' && transactionState === 'paid';
  return textAt(payin, 'resolution') || (isCollected ? 'collected' : place);
}
