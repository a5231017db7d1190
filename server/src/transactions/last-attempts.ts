/**
 * The attempts that work on a transaction goes by: the last one of each recipient, and the last prompt of each payin
 * method. There is another one only after the one before it has failed.
 */
import type { Tx } from '../kernel/database.ts';
import type { PayinAttempt, PayinAttemptKey } from '../payins/attempt.ts';
import { readPayinAttempts } from '../payins/attempt-store.ts';
import type { Attempt, AttemptKey } from '../recipients/attempt.ts';
import { readAttempts } from '../recipients/attempt-store.ts';
import type { WholeTransaction } from './transaction.ts';

/** `named`: those that are needed besides, because somebody has an answer to them. */
export function readLastAttempts(
  tx: Tx,
  transactions: Iterable<WholeTransaction>,
  named: readonly AttemptKey[] = [],
): Promise<Attempt[]> {
  const last = [...transactions].flatMap(({ accountId, recipients }) => keysOf(accountId, recipients));
  return readAttempts(tx, [...named, ...last]);
}

/** `named`: as above. */
export function readLastPrompts(
  tx: Tx,
  transactions: Iterable<WholeTransaction>,
  named: readonly PayinAttemptKey[] = [],
): Promise<PayinAttempt[]> {
  const last = [...transactions].flatMap(({ accountId, payinMethods }) => keysOf(accountId, payinMethods));
  return readPayinAttempts(tx, [...named, ...last]);
}

function keysOf(accountId: string, tried: readonly { readonly attemptId: string | null }[]) {
  return tried.flatMap(({ attemptId }) => (attemptId === null ? [] : [{ accountId, attemptId }]));
}
