/** The event that a move of a payin method sends, one row for each move. Published names. Open point OP-71. */
import type { EventName } from '../webhooks/events.ts';
import type { PayinMethodMove } from './states.ts';

export type PayinEventName = Extract<EventName, `payin_method.${string}`>;

export const PAYIN_MOVE_EVENTS = {
  create: null,
  ask: 'payin_method.incomplete',
  prompt: 'payin_method.pending',
  process: 'payin_method.processing',
  succeed: 'payin_method.paid_in',
  mispay: 'payin_method.mispaid',
  fail: 'payin_method.error',
  retry: null,
  cancel: 'payin_method.canceled',
  refund: 'payin_method.refunded',
  break: 'payin_method.exception',
  settle_paid: 'payin_method.paid_in',
  abandon: 'payin_method.canceled',
} as const satisfies Readonly<Record<PayinMethodMove, PayinEventName | null>>;
