/** Every transaction comes to an end when providers answer and the automatic refund is on. */
import { type Invariant, rowsOf } from './invariant.ts';

const OPEN = `
  select t.external_id, t.state, t.due_at,
    (select string_agg(r.state, ' ' order by r.position) from recipients r
     where r.account_id = t.account_id and r.transaction_id = t.transaction_id) as recipients
  from transactions t
  where (t.state not in ('paid', 'refunded', 'canceled', 'exception')
    or exists (select from recipients r where r.account_id = t.account_id and r.transaction_id = t.transaction_id
      and r.state not in ('success', 'overpaid', 'refunded', 'canceled', 'exception'))
    or t.due_at is not null)
    and not exists (select from recipients r where r.account_id = t.account_id
      and r.transaction_id = t.transaction_id and r.state = 'exception')
  order by t.external_id`;

export const endings: Invariant = {
  name: 'everything comes to an end',
  atEnd: ({ world }) =>
    rowsOf(world, OPEN).map(
      (row) => `${row['external_id']} is ${row['state']} with ${row['recipients']}, due ${String(row['due_at'])}`,
    ),
};
