/**
 * The order of locks that all operations share. Each kind is locked by one statement for the whole batch, and sorted:
 * whoever keeps to it waits for others and never in a circle. A lock on anything that has no place here is a fault as
 * well: what a transaction's lock covers (recipients, payin methods, payments, attempts, holds) is locked by nobody.
 */
import type { Sent } from './session.ts';

/** The one order of what money depends on. Nonces come with a call, and the audit row ends the order of an operator. */
const ORDER = [
  'nonces',
  'external_ids',
  'senders',
  'documents',
  'transactions',
  'accounts',
  'ledger_balances',
  'audit_log',
] as const;

/** What is locked with nothing of the others but nonces and audit rows. */
const APART = [
  ['webhook_deliveries', 'webhooks'],
  ['events'],
  ['payout_methods'],
  ['hold_rules'],
  ['mid_rates'],
  ['corridor_switches'],
  ['provider_switches'],
  ['operators'],
  ['api_keys'],
] as const;

const CHAINS: readonly (readonly string[])[] = [ORDER, ...APART.map((kinds) => ['nonces', ...kinds, 'audit_log'])];

/** A lock within a change too; of what, where it says so by an alias. */
const LOCKS = /\bfor (?:no key )?(?:update|share)\b(?: of (\w+))?/;
const LOCKS_TABLE = /\block table (\w+)\b/;
const READ_FROM = /\bfrom (\w+)\b(?!\()/g;
/** Whoever inserts one of these waits for the commit of another who has inserted the same. */
const RESERVES = /\binsert into (nonces|external_ids|audit_log)\b/;
/** Work that passes over locked rows waits for nobody. */
const WAITS_FOR_NOBODY = /\bskip locked\b/;
const IS_SORTED = /\border by\b/;
/** One account has one row; an audit row is written alone; a table is locked as a whole. */
const IS_ONE = /\bfrom accounts\s+where account_id = \$1::uuid\s+for\b|\binsert into audit_log\b|\block table\b/;

/** What is wrong with the locks of one transaction; empty: nothing. */
export function lockFaults(statements: readonly Sent[]): string[] {
  const faults: string[] = [];
  const kinds: string[] = [];
  for (const { text, rows } of statements) {
    const kind = lockedKind(text);
    // Who finds no row has locked none; who has nothing left to reserve has waited for those who have it.
    if (kind === undefined || (rows === 0 && !RESERVES.test(text))) continue;
    if (!IS_SORTED.test(text) && !IS_ONE.test(text)) faults.push(`${kind} are locked in no order`);
    kinds.push(kind);
  }
  return [...faults, ...orderFaults(kinds)];
}

function orderFaults(kinds: readonly string[]): string[] {
  const homeless = kinds.filter((kind) => !CHAINS.some((chain) => chain.includes(kind)));
  if (homeless.length > 0) return homeless.map((kind) => `${kind} have no place in the order of locks`);
  const chain = CHAINS.find((each) => kinds.every((kind) => each.includes(kind)));
  if (chain === undefined) return [`locked in one transaction: ${[...new Set(kinds)].join(', ')}`];
  const places = kinds.map((kind) => chain.indexOf(kind));
  return kinds.flatMap((kind, at) => {
    const last = Math.max(...places.slice(0, at));
    return chain.indexOf(kind) < last ? [`${kind} are locked after ${chain[last]}`] : [];
  });
}

/** The table whose rows it locks. Undefined: it locks none, or not in a way that could wait. */
export function lockedKind(text: string): string | undefined {
  const named = RESERVES.exec(text) ?? LOCKS_TABLE.exec(text);
  if (named) return named[1];
  const lock = LOCKS.exec(text);
  if (!lock || WAITS_FOR_NOBODY.test(text)) return undefined;
  const [, alias] = lock;
  if (alias !== undefined) return new RegExp(`\\b(?:from|join) (\\w+) ${alias}\\b`).exec(text)?.[1];
  // The rows that it reads last before the lock.
  return [...text.slice(0, lock.index).matchAll(READ_FROM)].at(-1)?.[1];
}
