/**
 * For a command that needs the database of a data directory for a moment: beside the program that runs on it, or, where
 * none does, by starting the server and stopping it again. It makes no new database.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { connectionTo, readPassword, urlOf } from './connection.ts';
import { DataDirectoryInUse } from './directory-lock.ts';
import { EmbeddedPostgresFault } from './faults.ts';
import { type DataLayout, dataLayout, readMajorVersion } from './layout.ts';
import { parsePostmasterFile, transportOf } from './postmaster-file.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from './supervisor.ts';

export interface VisitedPostgres {
  /** It holds the password: not for logs. */
  readonly url: string;
  /** Stops the server if it was started for the visit. */
  leave(): Promise<void>;
}

/** Throws EmbeddedPostgresFault with a message that says what to do. */
export async function visitEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<VisitedPostgres> {
  const layout = dataLayout(options.dataDir);
  if ((await readMajorVersion(layout)) === undefined) {
    throw new EmbeddedPostgresFault(
      `There is no database in ${layout.root}. Name the data directory of the service with --data, or its database with DATABASE_URL.`,
    );
  }
  try {
    const server = await startEmbeddedPostgres(options);
    return { url: server.url, leave: () => server.stop() };
  } catch (fault) {
    if (!(fault instanceof DataDirectoryInUse)) throw fault;
    return { url: await urlOfOther(layout, fault), leave: async () => undefined };
  }
}

/**
 * The file is only read. Whether its process lives cannot be seen from another container, and a server whose file is
 * removed ends: that is for the owner of the directory to judge.
 */
async function urlOfOther(layout: DataLayout, inUse: DataDirectoryInUse): Promise<string> {
  const text = await readFile(path.join(layout.pgData, 'postmaster.pid'), 'utf8').catch(() => '');
  const file = parsePostmasterFile(text);
  if (file === undefined) throw inUse;
  return urlOf(connectionTo(transportOf(file, layout), await readPassword(layout)));
}
