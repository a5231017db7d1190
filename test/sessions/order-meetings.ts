/** Where operators meet most: one hold, one attempt, one recipient, one payment into or out of the balance. */
import type { Stage } from './order-scene.ts';
import type { OrderStep } from './order-steps.ts';
import type { Meeting } from './programs.ts';

export interface OrderMeeting extends Meeting<OrderStep> {
  /** Of each payout, the first one first. */
  readonly stages: readonly Stage[];
}

const RELEASE = { do: 'release', place: 0 } as const;
const REJECT = { do: 'reject', place: 0 } as const;
const CANCEL = { do: 'cancel', places: [0] } as const;
const GIVE_BACK = { do: 'give back', place: 0 } as const;
const RETRY = { do: 'retry', place: 0 } as const;
const EDIT = { do: 'edit', places: [0] } as const;
const WORK = { do: 'work' } as const;
const WITHDRAW = { do: 'withdraw' } as const;
const WIRE = { do: 'withdraw', reference: 'wire-1' } as const;
const BAN = { do: 'ban' } as const;
const mark = (truth: 'paid' | 'failed') => ({ do: 'mark', place: 0, truth }) as const;
const news = (truth: 'paid' | 'failed') => ({ do: 'news', place: 0, truth }) as const;

export const ORDER_MEETINGS: readonly OrderMeeting[] = [
  { stages: ['held', 'due'], first: [[RELEASE], [REJECT], [CANCEL]] },
  { stages: ['held', 'due'], first: [[RELEASE], [CANCEL], [WORK]] },
  { stages: ['held', 'held'], first: [[{ ...REJECT, again: true }], [{ ...REJECT, again: true }], [RELEASE]] },
  { stages: ['on its way', 'held'], first: [[mark('paid')], [WORK], [news('paid')]] },
  { stages: ['on its way', 'failed'], first: [[mark('failed')], [news('failed')], [CANCEL]] },
  { stages: ['on its way', 'due'], first: [[mark('paid')], [mark('paid')], [GIVE_BACK]] },
  { stages: ['failed', 'due'], first: [[RETRY, WORK], [CANCEL], [WORK]] },
  { stages: ['failed', 'held'], first: [[GIVE_BACK], [RETRY, WORK], [EDIT]] },
  { stages: ['due', 'held'], first: [[WORK], [GIVE_BACK], [CANCEL]] },
  { stages: ['held', 'due'], first: [[BAN], [RELEASE], [WORK]] },
  // The balance has as much as one of them takes out.
  { stages: ['failed', 'due'], first: [[WITHDRAW], [WITHDRAW], [GIVE_BACK]] },
  { stages: ['held', 'failed'], first: [[WIRE], [WIRE], [REJECT]] },
];
