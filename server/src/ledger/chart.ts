/**
 * The chart of accounts: seven ledger accounts for each tenant and currency name, and every entry that may be posted.
 * A tenant's books stand alone; house totals are sums over tenants.
 */
export const LEDGER_ACCOUNTS = {
  balance: 'what the tenant owns and the API shows',
  held: 'funded or collected, not yet paid out or released',
  exchange: 'position from currency exchange; takes rounding differences too',
  payout_settlement: 'delivered to recipients through a provider, to be settled with it',
  payin_settlement: 'received from payers through a provider',
  treasury: 'money that the tenant brought in or took out',
  suspense: 'arrived but belongs to no open transaction; waits for an operator',
} as const;

export type LedgerAccount = keyof typeof LEDGER_ACCOUNTS;

/** These may go below zero for everyone; `balance` only where the account's negative_balance is set. */
export const ALWAYS_BELOW_ZERO: readonly LedgerAccount[] = ['exchange', 'payin_settlement', 'treasury'];

export function mayGoBelowZero(ledgerAccount: LedgerAccount, negativeBalance: boolean): boolean {
  return ALWAYS_BELOW_ZERO.includes(ledgerAccount) || (ledgerAccount === 'balance' && negativeBalance);
}

/** Every entry by its name, as the transfers it is made of. Whatever is not listed here cannot be posted. */
export const ENTRIES = {
  top_up: [['treasury', 'balance']],
  take_out: [['balance', 'treasury']],
  fund: [['balance', 'held']],
  refund: [['held', 'balance']],
  pay_out: [
    ['held', 'exchange'],
    ['exchange', 'payout_settlement'],
  ],
  overpaid_excess: [['exchange', 'payout_settlement']],
  paid_after_refund: [['exchange', 'payout_settlement']],
  payin_received: [['payin_settlement', 'held']],
  collected: [['held', 'balance']],
  collected_exchanged: [
    ['held', 'exchange'],
    ['exchange', 'balance'],
  ],
  late_payin: [['payin_settlement', 'suspense']],
  suspense_accepted: [['suspense', 'balance']],
  suspense_returned: [['suspense', 'payin_settlement']],
  collection_returned: [['balance', 'payin_settlement']],
  collection_returned_exchanged: [
    ['balance', 'exchange'],
    ['exchange', 'payin_settlement'],
  ],
  payout_settled: [['payout_settlement', 'treasury']],
  payin_settled: [['treasury', 'payin_settlement']],
} as const satisfies Record<string, readonly (readonly [LedgerAccount, LedgerAccount])[]>;

export type EntryName = keyof typeof ENTRIES;
