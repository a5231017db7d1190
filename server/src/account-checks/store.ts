/** The SQL of account checks: which were asked, and how many of them in a day. */
import type { Queryable, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { CheckKind } from './account-check.ts';

export interface AskedCheck {
  readonly accountId: string;
  readonly checkId: string;
  readonly kind: CheckKind;
  readonly payoutType: string;
  readonly country: string;
  /** A call of endpoint 15, or a payout with `account_validation`. */
  readonly askedFor: 'call' | 'payout';
  readonly outcome: 'found' | 'not_found' | 'unavailable';
  readonly askedAt: Date;
}

/** Safe to be run twice: a check that is there is left as it is. */
export async function insertChecks(tx: Tx, checks: readonly AskedCheck[]): Promise<void> {
  await tx.execute(
    `insert into account_checks (account_id, check_id, kind, payout_type, country, asked_for, outcome, asked_at)
     select a.account_id, u.check_id, u.kind, u.payout_type, u.country, u.asked_for, u.outcome, u.asked_at
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[])
       as u (account_id, check_id, kind, payout_type, country, asked_for, outcome, asked_at)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}
     on conflict (account_id, check_id) do nothing`,
    [
      accountIdsOf(checks),
      checks.map((each) => each.accountId),
      checks.map((each) => each.checkId),
      checks.map((each) => each.kind),
      checks.map((each) => each.payoutType),
      checks.map((each) => each.country),
      checks.map((each) => each.askedFor),
      checks.map((each) => each.outcome),
      checks.map((each) => each.askedAt),
    ],
  );
}

export interface UsageRow {
  /** In UTC: `2026-11-15`. */
  readonly day: string;
  readonly kind: CheckKind;
  readonly found: number;
  readonly notFound: number;
  readonly unavailable: number;
}

/** From the first time on, up to the second and without it; days and kinds in their order. */
export async function readUsage(
  db: Queryable,
  { accountId, from, to }: { accountId: string; from: Date; to: Date },
): Promise<UsageRow[]> {
  const rows = await db.query<{ day: string; kind: CheckKind; found: bigint; missing: bigint; unanswered: bigint }>(
    `select to_char(c.asked_at at time zone 'UTC', 'YYYY-MM-DD') as day, c.kind,
       count(*) filter (where c.outcome = 'found') as found,
       count(*) filter (where c.outcome = 'not_found') as missing,
       count(*) filter (where c.outcome = 'unavailable') as unanswered
     from account_checks c
     where c.account_id = $1::uuid and c.asked_at >= $2::timestamptz and c.asked_at < $3::timestamptz
     group by 1, 2
     order by 1, 2`,
    [accountId, from, to],
  );
  return rows.map(({ day, kind, found, missing, unanswered }) => ({
    day,
    kind,
    found: Number(found),
    notFound: Number(missing),
    unavailable: Number(unanswered),
  }));
}
