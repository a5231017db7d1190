/** Where sessions that pay out meet most. */
import type { Step } from './payout-steps.ts';
import type { Meeting } from './programs.ts';

interface PayoutMeeting extends Meeting<Step> {
  /** Whether there is money to be paid out. */
  readonly isFunded: boolean;
}

/** One balance, one due transaction, one delivery, one recipient, one external id, one sender. */
export const PAYOUT_MEETINGS: readonly PayoutMeeting[] = [
  {
    isFunded: false,
    first: [[{ do: 'fund', places: [0] }], [{ do: 'fund', places: [1] }], [{ do: 'fund', places: [2, 0] }]],
  },
  {
    isFunded: false,
    first: [
      [{ do: 'fund', places: [0], nonce: 'the same' }],
      [{ do: 'fund', places: [0], nonce: 'the same' }],
      [{ do: 'cancel', places: [0] }],
    ],
  },
  { isFunded: true, first: [[{ do: 'work' }], [{ do: 'work' }], [{ do: 'deliver' }]] },
  { isFunded: true, first: [[{ do: 'deliver' }], [{ do: 'deliver' }], [{ do: 'work' }]] },
  { isFunded: true, first: [[{ do: 'work' }], [{ do: 'cancel', places: [0, 1] }], [{ do: 'edit', places: [1, 0] }]] },
  {
    isFunded: false,
    first: [
      [{ do: 'create', externalIds: ['one', 'two'], isFunded: true, city: 'Leeds' }],
      [{ do: 'create', externalIds: ['two', 'one'], isFunded: true, city: 'York' }],
      [{ do: 'sender', city: 'Bath' }],
    ],
  },
  {
    isFunded: false,
    first: [
      [{ do: 'terms' }],
      [{ do: 'create', externalIds: ['one'], isFunded: true }],
      [{ do: 'create', externalIds: ['two'], isFunded: true, city: 'York' }],
    ],
  },
];
