/** A rule of compliance that holds whatever is more than an amount, of every account. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../../server/src/kernel/database.ts';

export function holdOver(
  db: Pick<Database, 'execute'>,
  { minor, currency }: { readonly minor: bigint; readonly currency: string },
): Promise<number> {
  return db.execute(
    `insert into hold_rules (rule_id, kind, amount, currency, created_at, created_by)
     values ($1::uuid, 'amount', $2::bigint, $3::text, now(), 'ada')`,
    [randomUUID(), minor, currency],
  );
}
