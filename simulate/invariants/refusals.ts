/** A 422 is a promise: what was refused when it was to be created does not exist, now or ever. */
import { type Invariant, rowsOf } from './invariant.ts';

const FOUND = `
  select x.external_id from external_ids x
  join unnest($1::uuid[], $2::text[]) as u (account_id, external_id)
    on u.account_id = x.account_id and u.external_id = x.external_id
  where x.object_type = 'transaction'
  union
  select t.external_id from transactions t
  join unnest($1::uuid[], $2::text[]) as u (account_id, external_id)
    on u.account_id = t.account_id and u.external_id = t.external_id`;

export const refusals: Invariant = {
  name: 'a refusal leaves nothing behind',
  often: ({ world, promises: { refused } }) =>
    rowsOf(world, FOUND, [refused.map((each) => each.accountId), refused.map((each) => each.externalId)]).map(
      (row) => `${row['external_id']} was refused, and is there`,
    ),
};
