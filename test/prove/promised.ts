/** A payout as a customer remembers it: paid, and nothing more. */
import type { Promised } from '../../prove/crash/memory.ts';

export const PROMISED: Promised = {
  key: 'key',
  externalId: 'e',
  transactionId: 't',
  recipientId: 'r',
  inputCents: 100,
  isFunded: true,
  isCanceled: false,
  manner: 'Paid',
  isMended: false,
  isCrossed: false,
};
