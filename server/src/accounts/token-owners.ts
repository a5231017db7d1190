/**
 * Whose token came with a request to the operator listener? Strangers make the service ask that too, as often as they
 * like. Tokens that come during a query share the next one: however many come, they take one connection to the
 * database, and never those that payments wait for. Nothing is remembered: a revoked token is refused at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchRunner } from '../kernel/batch.ts';
import type { Database } from '../kernel/database.ts';
import { findTokenOwners, type Operator } from './operators.ts';

/** Undefined: nobody has the token, or ever had. */
export type FindTokenOwner = (token: string) => Promise<Operator | undefined>;

const MAX_TOKENS_PER_QUERY = 256;

export function openTokenOwners(db: Database): FindTokenOwner {
  // Not bound to a tenant: operators belong to none.
  const lookups = new BatchRunner<string, Operator | undefined>(
    {
      name: 'find_operators',
      lanes: 1,
      maxCommands: MAX_TOKENS_PER_QUERY,
      tenantOf: () => '',
      oneTenant: false,
      pause: (delayMs) => sleep(delayMs),
    },
    (tokens) => findTokenOwners(db, tokens),
  );
  return (token) => lookups.submit(token);
}
