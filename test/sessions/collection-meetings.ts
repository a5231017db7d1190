/** Where sessions that collect meet most: one payment, one prompt, one code, one hour, one payment in suspense. */
import type { Stage } from './collection-scene.ts';
import type { CollectionStep } from './collection-steps.ts';
import type { Meeting } from './programs.ts';

export interface CollectionMeeting extends Meeting<CollectionStep> {
  /** Of each collection, the first one first. */
  readonly stages: readonly Stage[];
}

const PAYS = { do: 'payer', place: 0, deed: { does: 'pay' } } as const;
const FAILS = { do: 'payer', place: 0, deed: { does: 'fail', code: '412' } } as const;
const PROCESSES = { do: 'payer', place: 0, deed: { does: 'process' } } as const;
const PAYS_WRONGLY = { do: 'payer', place: 2, deed: { does: 'pay', minor: 9_000n } } as const;
const TOLD = { do: 'callback', places: [0] } as const;
const CANCEL = { do: 'cancel', places: [0] } as const;
const CODE = { do: 'give code', places: [0] } as const;
const RETRY = { do: 'retry', places: [0] } as const;
const EDIT = { do: 'edit', places: [0] } as const;
const ACCEPT = { do: 'accept', place: 0 } as const;
const RETURN = { do: 'return', place: 0 } as const;
const REFUND = { do: 'refund', place: 0 } as const;
const WITHDRAW = { do: 'withdraw' } as const;
const WORK = { do: 'work' } as const;
const HOUR = { do: 'end of the hour' } as const;

export const COLLECTION_MEETINGS: readonly CollectionMeeting[] = [
  // One payment that a worker hears of at the same time, and that is told twice: credited once.
  { stages: ['paid unheard'], first: [[WORK], [TOLD], [TOLD]] },
  { stages: ['prompted'], first: [[PAYS], [CANCEL], [WORK]] },
  { stages: ['prompted'], first: [[HOUR, WORK], [PAYS], [CANCEL]] },
  { stages: ['paid late'], first: [[ACCEPT], [RETURN], [ACCEPT]] },
  // One payment that is told of two collections, in either order.
  {
    stages: ['prompted', 'prompted'],
    first: [[{ do: 'wire', places: [0, 1] }], [{ do: 'wire', places: [1, 0] }], [PAYS]],
  },
  { stages: ['asked for a code'], first: [[CODE], [PAYS], [CANCEL]] },
  { stages: ['paid twice'], first: [[ACCEPT], [ACCEPT], [REFUND]] },
  { stages: ['paid twice'], first: [[{ ...ACCEPT, again: true }], [{ ...ACCEPT, again: true }], [RETURN]] },
  { stages: ['prompted'], first: [[FAILS], [CANCEL], [WORK]] },
  // The balance has as much as one of them takes.
  { stages: ['paid'], first: [[REFUND], [WITHDRAW], [PAYS]] },
  { stages: ['paid', 'paid'], first: [[REFUND], [REFUND], [WITHDRAW]] },
  { stages: ['paid wrongly'], first: [[ACCEPT], [CANCEL], [PAYS]] },
  { stages: ['paid wrongly', 'paid unheard'], first: [[RETURN], [WORK], [RETRY]] },
  { stages: ['failed'], first: [[RETRY], [EDIT], [WORK]] },
  { stages: ['prompted'], first: [[PROCESSES], [CANCEL], [HOUR, WORK]] },
  { stages: ['asked for a code'], first: [[CODE], [WORK], [EDIT]] },
  // More or less than was asked for, by a bank transfer.
  { stages: ['prompted', 'prompted', 'prompted'], first: [[PAYS_WRONGLY], [WORK], [PAYS_WRONGLY]] },
];
