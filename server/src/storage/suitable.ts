/**
 * Whether a process may run on a database: it holds every character, belongs to the mode of the first one, and a live
 * one keeps what it stores.
 */
import type { Database } from '../kernel/database.ts';

/** The message says what to change. */
export class DatabaseUnsuitable extends Error {
  override readonly name = 'DatabaseUnsuitable';
}

type Mode = 'sandbox' | 'live';

/** To be called before anything else is written. */
export async function claimForMode(db: Database, mode: Mode): Promise<void> {
  await db.execute('insert into installation (id, mode) values (1, $1::text) on conflict do nothing', [mode]);
  await refuseOtherMode(db, mode);
}

/** Reads what there is: also for a schema that is still to be brought up to date. */
export async function refuseOtherMode(db: Pick<Database, 'query'>, mode: Mode): Promise<void> {
  if (!(await hasTable(db, 'installation'))) return;
  const [row] = await db.query<{ mode: string }>('select mode from installation where id = 1');
  if (row === undefined || row.mode === mode) return;
  throw new DatabaseUnsuitable(
    `This database belongs to a ${row.mode} service, and mode is ${mode}. Set mode (PAYFERRY_MODE) to ${row.mode}, or name another database.`,
  );
}

export async function hasTable(db: Pick<Database, 'query'>, name: string): Promise<boolean> {
  const [found] = await db.query<{ name: string | null }>('select to_regclass($1::text)::text as name', [name]);
  return found?.name !== null && found?.name !== undefined;
}

/** Without these a server that loses its power loses payments that were acknowledged. A role may have its own. */
const NEEDED = ['fsync', 'full_page_writes', 'synchronous_commit'];

export async function refuseForgetful(db: Pick<Database, 'query'>): Promise<void> {
  const rows = await db.query<{ name: string }>(
    "select name from pg_settings where name = any($1::text[]) and setting = 'off' order by name",
    [NEEDED],
  );
  if (rows.length === 0) return;
  const off = rows.map(({ name }) => name).join(' and ');
  throw new DatabaseUnsuitable(
    `The database server runs with ${off} off, and would lose payments. Switch it on for live mode.`,
  );
}

/** In another encoding names cannot be stored that callers have, or letters are counted as bytes. */
export function refuseOtherEncoding(encoding: string | undefined): void {
  if (encoding === 'UTF8') return;
  throw new DatabaseUnsuitable(
    `The encoding of this database is ${encoding}. Name one that was made with \`create database ... encoding 'UTF8' template template0\`.`,
  );
}
