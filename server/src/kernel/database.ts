/**
 * The Database port: what the rest of the program may ask of PostgreSQL. Adapters: storage/pg.ts (every real run) and
 * simulate/database/port.ts (the simulation, which puts faults in here).
 *
 * Values come back the same from each adapter: bigint for int8, Date for timestamptz, string for numeric, uuid and
 * text, boolean for bool, parsed values for json and jsonb, Buffer (or Uint8Array) for bytea.
 */

export type SqlScalar = string | number | bigint | boolean | Date | Uint8Array | null;
export type SqlValue = SqlScalar | readonly SqlScalar[];

/** Statements that are started together, by `Promise.all`, run in the order in which they were started. */
export interface Queryable {
  /** Runs one statement. The text is a constant of the program: it is prepared once per connection. */
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Runs one statement for its effect and tells how many rows it touched. */
  execute(text: string, values?: readonly SqlValue[]): Promise<number>;
}

/** Where rows of one table go, and what each column is given of a row (storage/new-rows.ts). */
export interface RowsInto<Row> {
  /** Takes rows as a stream in binary form. */
  readonly copy: string;
  readonly columns: readonly { readonly type: ColumnType; readonly read: (row: Row) => SqlScalar }[];
}

/** `words` are a list of texts in the database, and one text with blanks between them here. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'json'
  | 'timestamptz'
  | 'bigint'
  | 'integer'
  | 'smallint'
  | 'boolean'
  | 'words';

/** An open database transaction. Store functions take a Tx, so none of them can run outside of one by accident. */
export interface Tx extends Queryable {
  readonly isTx: true;
  /**
   * Adds rows as they are and tells how many; where the database takes them so. Undefined: a value does not fit its
   * column, and the database is to say what is wrong with it.
   */
  copy?<Row>(into: RowsInto<Row>, rows: readonly Row[]): Promise<number> | undefined;
  /** Accounts that this transaction has asked about before it added rows for them so. They are never deleted. */
  readonly askedAccounts?: Set<string>;
}

interface TxOptions {
  /** How long one statement may take, in place of the setting: for what reads or changes very many rows. */
  readonly statementTimeoutMs?: number;
  /**
   * All statements see what was committed before the first one, and none writes: what is shown together was so at once.
   */
  readonly seesOneMoment?: boolean;
}

export interface Database extends Queryable {
  /**
   * Runs the work in one transaction (read committed, unless told otherwise) and commits it. An error thrown by the
   * work rolls back and is thrown on; an error at COMMIT is thrown as CommitUnknown, because the commit may have
   * happened.
   */
  inTx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Calls back at each notification on the channel until the returned function is called. Reconnects by itself. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** COMMIT was sent and no clear success came back. Look for the command's own ids before deciding anything. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown';
}

/** The connection could not be had, was lost before COMMIT was sent, or takes no writes: nothing has happened. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** The SQLSTATE of a row that is there already. */
export const UNIQUE_VIOLATION = '23505';

/** The SQLSTATE of a database error, if it is one. Constraint names are not read: a distributed engine alters them. */
export function sqlState(fault: unknown): string | undefined {
  if (typeof fault !== 'object' || fault === null || !('code' in fault)) return undefined;
  return typeof fault.code === 'string' && /^[0-9A-Z]{5}$/.test(fault.code) ? fault.code : undefined;
}
