/**
 * Rows that are added to a table as they are, with nothing looked up or left out. A database of one server takes many
 * of them as a stream, which is much less work for it than an insert (docs/adr/0017-new-rows-as-a-stream.md); a few, or
 * any other database, get a statement with a list for each column. Both are made from one description.
 */
import { assert } from '../kernel/assert.ts';
import type { ColumnType, RowsInto, SqlScalar, Tx } from '../kernel/database.ts';
import { accountIdsOf, onNodeOf } from './tenants.ts';

type Column<Row> = readonly [type: ColumnType, read: (row: Row) => SqlScalar];

interface RowsOf<Row> extends RowsInto<Row> {
  readonly table: string;
  /** For the accounts of the rows, and a list for each column. */
  readonly insert: string;
}

/** What a table is told of each row, column by column. The first is the account. */
export function rowsOf<Row>(table: string, columns: Readonly<Record<string, Column<Row>>>): RowsOf<Row> {
  const names = Object.keys(columns);
  assert(names[0] === 'account_id', 'rows begin with their account');
  const types = Object.values(columns).map(([type]) => type);
  const lists = types.map((type, place) => `$${place + 2}::${AS_LIST[type] ?? type}[]`).slice(1);
  const values = types.map((type, place) => fromList(type, `u.${names[place]}`)).slice(1);
  return {
    table,
    columns: Object.values(columns).map(([type, read]) => ({ type, read })),
    copy: `copy ${table} (${names.join(', ')}) from stdin (format binary)`,
    insert: `insert into ${table} (${names.join(', ')})
      select a.account_id, ${values.join(', ')}
      from accounts a
      join unnest($2::uuid[], ${lists.join(', ')}) as u (${names.join(', ')}) on u.account_id = a.account_id
      where ${onNodeOf('a')}`,
  };
}

/** Lists of other types are of that type. */
const AS_LIST: Partial<Record<ColumnType, string>> = { json: 'text', words: 'text' };

function fromList(type: ColumnType, value: string): string {
  if (type === 'json') return `${value}::json`;
  return type === 'words' ? `string_to_array(${value}, ' ')` : value;
}

/** A stream costs the server as much to begin as ten rows save. */
export const WORTH_A_STREAM = 16;

/** Adds all of them. */
export async function addRows<Row extends { readonly accountId: string }>(
  tx: Tx,
  into: RowsOf<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const streamed = rows.length < WORTH_A_STREAM ? undefined : tx.copy?.(into, rows);
  const lists = () => into.columns.map(({ read }) => rows.map(read));
  const [added] = await Promise.all([
    streamed ?? tx.execute(into.insert, [accountIdsOf(rows), ...lists()]),
    streamed && requireAccounts(tx, accountIdsOf(rows)),
  ]);
  assert(added === rows.length, `every row was added to ${into.table}`);
}

/** A stream joins nothing: that its accounts exist is asked once in each transaction. */
async function requireAccounts(tx: Tx, accountIds: readonly string[]): Promise<void> {
  const known = tx.askedAccounts ?? new Set();
  const unknown = accountIds.filter((accountId) => !known.has(accountId));
  if (unknown.length === 0) return;
  for (const accountId of unknown) known.add(accountId);
  const found = await tx.query('select a.account_id from accounts a where a.account_id = any($1::uuid[])', [unknown]);
  assert(found.length === unknown.length, 'rows are added for accounts that exist');
}
