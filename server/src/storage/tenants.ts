/**
 * How statements on tenant tables are written. Every one names its accounts (`account_id = any($1)`): on a distributed
 * PostgreSQL that is what picks the node. Rows are read, added and changed by a list that has account and id of each.
 * The texts are put together once, where their file is loaded, and not for each use.
 */
export function accountIdsOf(rows: readonly { readonly accountId: string }[]): string[] {
  return [...new Set(rows.map((row) => row.accountId))];
}

/**
 * The accounts once more, for the sake of the node alone, in a statement that finds its rows by a list of keys which
 * has them already. One server is not asked: it would sort all accounts of the batch again for each row that it looks
 * up.
 */
export function onNodeOf(alias: string): string {
  return `${NODE_MARK} ${alias}.account_id = any($1::uuid[])`;
}

interface LookUp {
  readonly columns: string;
  /** Table and alias. */
  readonly from: `${string} ${string}`;
  /** The column of the id. */
  readonly id: string;
  /** A further condition. */
  readonly and?: string;
  readonly lock?: 'for update' | 'for no key update' | 'for share';
}

/** The keys of a look-up, each once, in the order of locks. */
export const KEYS_IN_ORDER = `(select distinct k.account_id, k.id
      from unnest($2::uuid[], $3::uuid[]) as k (account_id, id) order by 1, 2) k`;

/**
 * Reads the rows that a list of keys names (`keyLists`), and locks them in the one order that all operations share.
 * Each key is looked up by itself: `offset 0` keeps the planner from making a join of it, which it would answer by
 * reading all rows of a tenant as long as its statistics are wrong. Two lists, `account_id = any(..) and id = any(..)`,
 * would ask for each id in each account: with a hundred keys of a hundred tenants that is a hundred times as much work.
 */
export function byKeys({ columns, from, id, and, lock }: LookUp): string {
  const alias = from.slice(from.indexOf(' ') + 1);
  return `select ${alias}.*
    from ${KEYS_IN_ORDER}
    cross join lateral (
      select ${columns} from ${from}
      where ${onNodeOf(alias)} and ${alias}.account_id = k.account_id and ${alias}.${id} = k.id${and ? ` and ${and}` : ''}
      offset 0 ${lock ?? ''}
    ) ${alias}`;
}

/**
 * Finds a row by its id alone ($1), for operators: callers always come with their account. One look into the primary
 * key for each account, which `limit` keeps the planner from making a join: rare enough to go without an index that
 * every payout would pay for.
 */
export function byIdAlone({ columns, from, id }: Pick<LookUp, 'columns' | 'from' | 'id'>): string {
  const alias = from.slice(from.indexOf(' ') + 1);
  return `select ${alias}.*
    from accounts a
    cross join lateral (
      select ${columns} from ${from}
      where ${alias}.account_id = a.account_id and ${alias}.${id} = $1::uuid
      limit 1
    ) ${alias}`;
}

/** What a look-up by keys is given. */
export function keyLists<Key extends { readonly accountId: string }>(
  keys: readonly Key[],
  idOf: (key: Key) => string,
): [accountIds: string[], accounts: string[], ids: string[]] {
  return [accountIdsOf(keys), keys.map((key) => key.accountId), keys.map(idOf)];
}

const NODE_MARK = '/* node */';
/** What `onNodeOf` puts into a statement. */
export const NODE_CONDITION = /\/\* node \*\/ \w+\.account_id = any\(\$1::uuid\[\]\)/g;
