/** Every transaction, payin method and check comes to an end when providers answer and the automatic refund is on. */
import { type Invariant, rowsOf } from './invariant.ts';

const OPEN = `
  select t.external_id, t.state, t.due_at,
    (select string_agg(r.state, ' ' order by r.position) from recipients r
     where r.account_id = t.account_id and r.transaction_id = t.transaction_id) as recipients
  from transactions t
  where (t.state not in ('paid', 'refunded', 'canceled', 'exception')
    or exists (select from recipients r where r.account_id = t.account_id and r.transaction_id = t.transaction_id
      and (r.state not in ('success', 'overpaid', 'refunded', 'canceled', 'exception') or r.is_claimed))
    or t.due_at is not null)
    and not exists (select from recipients r where r.account_id = t.account_id
      and r.transaction_id = t.transaction_id and r.state = 'exception')
  order by t.external_id`;

const OPEN_PAYINS = `
  select t.external_id, t.state, m.state as payin, m.next_attempt_at, m.is_claimed,
    (select count(*)::int from payin_attempts a where a.account_id = m.account_id
      and a.payin_method_id = m.payin_method_id and a.outcome is null) as open_prompts
  from payin_methods m
  join transactions t on t.account_id = m.account_id and t.transaction_id = m.transaction_id
  where m.state not in ('success', 'mispaid', 'canceled', 'refunded') or m.next_attempt_at is not null or m.is_claimed
    or exists (select from payin_attempts a where a.account_id = m.account_id
      and a.payin_method_id = m.payin_method_id and a.outcome is null)
  order by t.external_id`;
const OPEN_SENDERS = `
  select s.external_id, s.state, s.due_at from senders s
  where s.due_at is not null or s.state in ('initial', 'verified')
  order by s.external_id`;

/** What is open of a review ends in the commit in which its transaction does. */
const OPEN_HOLDS = `
  select t.external_id, t.state, h.reason
  from holds h
  join transactions t on t.account_id = h.account_id and t.transaction_id = h.transaction_id
  where h.decision is null and t.state in ('paid', 'refunded', 'canceled')
  order by t.external_id`;

export const endings: Invariant = {
  name: 'everything comes to an end',
  often: ({ world }) =>
    rowsOf(world, OPEN_HOLDS).map(
      (row) => `${row['external_id']} is ${row['state']}, and its ${row['reason']} hold it`,
    ),
  atEnd: ({ world }) => [
    ...rowsOf(world, OPEN).map(
      (row) => `${row['external_id']} is ${row['state']} with ${row['recipients']}, due ${String(row['due_at'])}`,
    ),
    ...rowsOf(world, OPEN_PAYINS).map(
      (row) =>
        `${row['external_id']} is ${row['state']} with ${row['payin']}, ${row['open_prompts']} open prompts, ` +
        `next ${String(row['next_attempt_at'])}${row['is_claimed'] ? ', claimed' : ''}`,
    ),
    ...rowsOf(world, OPEN_SENDERS).map(
      (row) => `sender ${row['external_id']} is ${row['state']}, due ${String(row['due_at'])}`,
    ),
  ],
};
