/**
 * What a test leaves open does not bother the next one: each journey of the clock would stop at every due time of every
 * payout and collection that was there before.
 */
import { afterEach } from 'vitest';
import type { Database } from '../../server/src/kernel/database.ts';

/** Call it at the top of a test file whose tests make all that they look at. */
export function leaveNothingDue(db: Database): void {
  afterEach(() => db.execute('update transactions set due_at = null, is_claimed = false where due_at is not null'));
}
