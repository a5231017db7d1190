/** What a measurement needs of a server that runs already. */
import pg from 'pg';

/** Makes the database of a measurement. */
export function createDatabase(serverUrl: string, name: string): Promise<void> {
  return run(serverUrl, `create database ${pg.escapeIdentifier(name)}`);
}

/**
 * Lets the server write out what came before, so that nobody pays for it in the next measurement. From then on it uses
 * its old log files again, as one does that has run for an hour; a young one fills each of them with zeros first, while
 * all commits wait. The price, whole pages in the log once more, is part of the measurement.
 */
export function settle(serverUrl: string): Promise<void> {
  return run(serverUrl, 'checkpoint');
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}
