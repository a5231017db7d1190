/** The SQL that tells what senders did before: one statement for all transactions of a batch that a rule asks about. */
import type { Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from '../storage/tenants.ts';
import type { SenderHistory } from './match.ts';

interface HistoryQuestion {
  readonly accountId: string;
  readonly transactionId: string;
  readonly senderId: string;
  readonly fundedAt: Date;
  /** Only transactions with a payout of this type; null: all. */
  readonly payoutType: string | null;
}

const DAY_MS = 86_400_000;
/** How long before its funding a transaction may have been created: payins take days to clear. Bounds the look back. */
const MAX_CLEARING_MS = 7 * DAY_MS;

/**
 * In how many of the newest paid transactions of a sender a payout type is looked for. One that was paid with longer
 * ago counts as new: rather one too many is looked at than a payout waits for all that its sender ever did to be read.
 * Open point OP-200.
 */
const MAX_PAID_LOOKED_AT = 1_000;

/** By `historyKey`. What was funded in the same millisecond counts for each other: rather one too many is looked at. */
export async function readHistories(
  tx: Tx,
  questions: readonly HistoryQuestion[],
): Promise<Map<string, SenderHistory>> {
  if (questions.length === 0) return new Map();
  const rows = await tx.query<{
    transaction_id: string;
    payout_type: string | null;
    in_day: bigint;
    has_paid: boolean;
  }>(
    `select u.transaction_id, u.payout_type,
       (select count(*)
        from transactions t
        where ${onNodeOf('t')} and t.account_id = a.account_id and t.sender_id = u.sender_id
          and t.created_at > u.created_after and t.funded_at > u.funded_after and t.funded_at <= u.funded_at
          and (u.payout_type is null or exists (
            select 1 from recipients r
            where ${onNodeOf('r')} and r.account_id = a.account_id and r.transaction_id = t.transaction_id
              and r.payout_type = u.payout_type))) as in_day,
       exists (
         select 1
         from (
           select t.transaction_id
           from transactions t
           where ${onNodeOf('t')} and t.account_id = a.account_id and t.sender_id = u.sender_id and t.state = 'paid'
           order by t.created_at desc
           limit case when u.payout_type is null then 1 else ${MAX_PAID_LOOKED_AT} end) p
         where u.payout_type is null or exists (
           select 1 from recipients r
           where ${onNodeOf('r')} and r.account_id = a.account_id and r.transaction_id = p.transaction_id
             and r.payout_type = u.payout_type)) as has_paid
     from accounts a
     join unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::timestamptz[], $7::timestamptz[],
         $8::timestamptz[])
       as u (account_id, transaction_id, sender_id, payout_type, funded_at, funded_after, created_after)
       on u.account_id = a.account_id
     where ${onNodeOf('a')}`,
    [
      accountIdsOf(questions),
      questions.map((each) => each.accountId),
      questions.map((each) => each.transactionId),
      questions.map((each) => each.senderId),
      questions.map((each) => each.payoutType),
      questions.map((each) => each.fundedAt),
      questions.map(({ fundedAt }) => new Date(fundedAt.getTime() - DAY_MS)),
      questions.map(({ fundedAt }) => new Date(fundedAt.getTime() - DAY_MS - MAX_CLEARING_MS)),
    ],
  );
  return new Map(
    rows.map((row) => [
      historyKey(row.transaction_id, row.payout_type),
      { inDay: Number(row.in_day), hasPaid: row.has_paid },
    ]),
  );
}

export function historyKey(transactionId: string, payoutType: string | null): string {
  return `${transactionId} ${payoutType ?? ''}`;
}
