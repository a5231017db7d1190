/**
 * Tables of logs: rows that nobody changes, shown to their account newest first and deleted when their retention is
 * over. Their slices say which table it is and what its rows mean. Each has an index by account, created_at and id.
 */
import { type CreatedDays, spanOf } from '../kernel/created-days.ts';
import type { Tx } from '../kernel/database.ts';
import { totalCountOf } from '../kernel/total-count.ts';
import type { OldRows } from './drop-old.ts';

interface LogRows<Row extends object, Log> {
  readonly table: string;
  /** The column of the id. */
  readonly id: string;
  /** Those of a log, of the table as `l`. */
  readonly columns: string;
  readonly logOf: (row: Row) => Log;
}

export interface LogQuery extends CreatedDays {
  readonly accountId: string;
  readonly page: number;
  readonly per: number;
}

export interface LogPage<Log> {
  readonly logs: readonly Log[];
  readonly totalCount: number;
}

const IN_SPAN = 'l.account_id = $1::uuid and l.created_at >= $2::timestamptz and l.created_at < $3::timestamptz';

export class LogTable<Row extends object, Log> {
  readonly #logOf: (row: Row) => Log;
  readonly #read: string;
  readonly #list: string;
  readonly #count: string;
  readonly #accountsWithOld: string;
  readonly #deleteOldest: string;

  constructor({ table, id, columns, logOf }: LogRows<Row, Log>) {
    this.#logOf = logOf;
    this.#read = `select ${columns} from ${table} l where l.account_id = $1::uuid and l.${id} = $2::uuid`;
    // Those before the page are passed over in the index alone.
    this.#list = `select ${columns}
      from (
        select l.${id} from ${table} l where ${IN_SPAN}
        order by l.created_at desc, l.${id} desc
        offset $4::bigint limit $5::integer) p
      join ${table} l on l.account_id = $1::uuid and l.${id} = p.${id}
      order by l.created_at desc, l.${id} desc`;
    this.#count = `select count(*) as count from ${table} l where ${IN_SPAN}`;
    // One look into the index for each account.
    this.#accountsWithOld = `select a.account_id
      from accounts a
      where exists (select 1 from ${table} l where l.account_id = a.account_id and l.created_at < $1::timestamptz)
      limit $2::integer`;
    this.#deleteOldest = `delete from ${table} l
      where l.account_id = $1::uuid and l.${id} = any(array(
        select o.${id} from ${table} o
        where o.account_id = $1::uuid and o.created_at < $2::timestamptz
        order by o.created_at
        limit $3::integer))`;
  }

  /** Undefined: this account has no such log, or no longer. */
  async read(tx: Tx, { accountId, id }: { readonly accountId: string; readonly id: string }): Promise<Log | undefined> {
    const rows = await tx.query<Row>(this.#read, [accountId, id]);
    return rows.map(this.#logOf)[0];
  }

  async page(tx: Tx, { accountId, page, per, ...days }: LogQuery): Promise<LogPage<Log>> {
    const { from, before } = spanOf(days);
    const place = { offset: (page - 1) * per, limit: per };
    const rows = await tx.query<Row>(this.#list, [accountId, from, before, place.offset, place.limit]);
    const totalCount = await totalCountOf({ shown: rows.length, ...place }, async () => {
      const counted = await tx.query<{ count: bigint }>(this.#count, [accountId, from, before]);
      return Number(counted[0]?.count ?? 0n);
    });
    return { logs: rows.map(this.#logOf), totalCount };
  }

  /** The rows from before that time, for whoever deletes them (drop-old.ts). */
  olderThan(before: Date): OldRows {
    return {
      accountsWith: async (tx, limit) => {
        const rows = await tx.query<{ account_id: string }>(this.#accountsWithOld, [before, limit]);
        return rows.map((row) => row.account_id);
      },
      deleteOldest: (tx, accountId, limit) => tx.execute(this.#deleteOldest, [accountId, before, limit]),
    };
  }
}
