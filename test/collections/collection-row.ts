/** What a row of the table of collections says, and the ends that many rows have in common. Amounts are 10,000. */
import type { TableRow } from '../support/moves-log.ts';
import type { Arrangement, Collected } from './row-world.ts';

export interface CollectionRow extends Arrangement {
  readonly says: string;
  /** The rows of the tables that it goes through and no row before it does. */
  readonly rows: readonly TableRow[];
  readonly act?: (one: Collected) => Promise<unknown>;
  /** Transaction, payin method, recipient. */
  readonly states: string;
  /** Of transaction and payin method; null: there is none. */
  readonly code: string | null;
  /** Names of the events after `transaction.created`, and of those about the payin method. */
  readonly told: readonly [ofTransaction: string, ofPayin: string];
  /** input_amount, paid_amount, due_amount. */
  readonly amounts: readonly [number, number, number];
  /** Minor units in the currency of the payer. */
  readonly books: Readonly<Record<string, bigint>>;
}

export const UNPAID = [10_000, 0, 10_000] as const;
export const PAID = [10_000, 10_000, 0] as const;
export const NOTHING = {} as const;
const IN_BALANCE = { balance: 10_000n, payin_settlement: -10_000n } as const;
export const HELD = { held: 10_000n, payin_settlement: -10_000n } as const;
export const SUSPENSE = { suspense: 10_000n, payin_settlement: -10_000n } as const;
export const EVIDENCE = { reason: 'the payer called', evidence: 'statement 17, line 3' };

export const WAITING = {
  states: 'approved: pending initial',
  code: '1',
  told: ['', 'pending'],
  amounts: UNPAID,
} as const;
export const FAILED = { states: 'approved: error initial', amounts: UNPAID, books: NOTHING } as const;
export const GONE = { states: 'canceled: canceled canceled', amounts: UNPAID, books: NOTHING } as const;
export const DONE = { states: 'paid: success success', code: '0', amounts: PAID, books: IN_BALANCE } as const;
