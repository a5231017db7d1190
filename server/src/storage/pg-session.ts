/**
 * What each session of ours goes by, whatever the server, the database or the role has as its own. Times are read as
 * ISO 8601: in another style they would come back as null, and null is over. Locks order the reads behind them only
 * where each statement sees what was committed before it. A wait for a row ends by the time limit of its statement,
 * whose fault is the one that says so.
 */
import type { ClientBase } from 'pg';

const OURS = `
  set datestyle to iso;
  set default_transaction_isolation to 'read committed';
  set lock_timeout to 0`;

/** A migration may take longer than a statement: it has a limit for locks alone. */
const PATIENT = `${OURS};
  set statement_timeout to 0`;

export async function makeOurs(client: ClientBase): Promise<void> {
  await client.query(OURS);
}

export async function makePatient(client: ClientBase): Promise<void> {
  await client.query(PATIENT);
}
