/**
 * The order of locks that all operations share: external ids, senders, documents, transactions, accounts, balances, each
 * kind locked by one statement for the whole batch and sorted. Whoever keeps to it waits for others and never in a
 * circle. What a transaction's lock covers is locked by nobody; should it be, it comes behind.
 */
const KINDS = [
  'external_ids',
  'senders',
  'documents',
  'transactions',
  'recipients',
  'payin_methods',
  'accounts',
  'ledger_balances',
] as const;

/** What a statement reads from. Where it locks as well, within a change too, it locks the first of these tables. */
const READ_FROM = /\bfrom (\w+)\b/g;
const LOCKS = /\bfor (no key )?(update|share)\b/;
/** Whoever inserts an external id waits for the commit of another who has inserted the same. */
const RESERVES = /\binsert into external_ids\b/;
/** Work that passes over locked rows waits for nobody. */
const WAITS_FOR_NOBODY = /\bskip locked\b/;
const IS_SORTED = /\border by\b/;
/** One account has one row. */
const IS_ONE_ACCOUNT = /\bfrom accounts\s+where account_id = \$1::uuid\s+for\b/;

/** What is wrong with the locks of one transaction; empty: nothing. */
export function lockFaults(statements: readonly string[]): string[] {
  const faults: string[] = [];
  let last = -1;
  for (const text of statements) {
    const kind = lockedKind(text);
    if (kind === undefined) continue;
    const place = KINDS.indexOf(kind);
    if (!IS_SORTED.test(text) && !IS_ONE_ACCOUNT.test(text)) faults.push(`${kind} are locked in no order`);
    if (place < last) faults.push(`${kind} are locked after ${KINDS[last]}`);
    last = Math.max(last, place);
  }
  return faults;
}

/** Undefined: it locks none of them, or not in a way that could wait. */
export function lockedKind(text: string): (typeof KINDS)[number] | undefined {
  if (RESERVES.test(text)) return 'external_ids';
  if (!LOCKS.test(text) || WAITS_FOR_NOBODY.test(text)) return undefined;
  const tables = [...text.matchAll(READ_FROM)].map(([, table]) => table);
  return KINDS.find((kind) => kind === tables.find((table) => KINDS.some((other) => other === table)));
}
