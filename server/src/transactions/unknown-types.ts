/**
 * Payouts that nobody can work on because their type has gone from the catalogue: an operator's file was removed while
 * they were open. Told at start, when it can be put back; afterwards each of them is put off and logged
 * (claim-apart.ts).
 */
import type { Context } from '../context.ts';
import type { Queryable } from '../kernel/database.ts';

/** How many transactions are looked at, those that are due next. What cannot be worked on is due again and again. */
const MAX_LOOKED_AT = 10_000;
const OVER = ['success', 'overpaid', 'refunded', 'canceled'] as const;

export async function warnOfUnknownTypes({
  db,
  catalogue,
  log,
}: Pick<Context, 'db' | 'catalogue' | 'log'>): Promise<void> {
  const known = catalogue.payouts().map(({ type }) => type);
  for (const { type, count } of await readOtherTypes(db, known)) {
    log.warn('open payouts have a type that the catalogue does not have', { payout_type: type, recipients: count });
  }
}

/** Along the index of what is due. */
async function readOtherTypes(db: Queryable, known: readonly string[]): Promise<{ type: string; count: number }[]> {
  const rows = await db.query<{ payout_type: string; recipients: bigint }>(
    `select r.payout_type, count(*) as recipients
     from (
       select t.account_id, t.transaction_id
       from transactions t
       where t.due_at is not null and not t.is_collection
       order by t.due_at
       limit ${MAX_LOOKED_AT}) as d
     join recipients r on r.account_id = d.account_id and r.transaction_id = d.transaction_id
     where r.payout_type <> all($1::text[]) and r.state <> all($2::text[])
     group by r.payout_type
     order by r.payout_type`,
    [known, OVER],
  );
  return rows.map((row) => ({ type: row.payout_type, count: Number(row.recipients) }));
}
