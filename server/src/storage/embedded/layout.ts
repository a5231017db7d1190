/** Where things lie inside the data directory. Nothing else of the program knows these names. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, EmbeddedPostgresFault } from './faults.ts';

export interface DataLayout {
  readonly root: string;
  /** PGDATA. It appears by a rename once initdb is done, so half a database is never seen. */
  readonly pgData: string;
  /** The private directory of the unix socket. */
  readonly socket: string;
  /** The password of the only role, readable by its owner alone. */
  readonly password: string;
  /** What the server says. Older parts are kept beside it as postgres.log.1 and so on. */
  readonly log: string;
}

/** Directories that initdb is still filling begin with this; what a killed start left behind is removed. */
export const UNFINISHED_PREFIX = 'postgres.new-';

export function dataLayout(dataDir: string): DataLayout {
  const root = path.resolve(dataDir);
  return {
    root,
    pgData: path.join(root, 'postgres'),
    socket: path.join(root, 'socket'),
    password: path.join(root, 'postgres.password'),
    log: path.join(root, 'postgres.log'),
  };
}

/** The major version that made the database in this directory; undefined when there is none yet. */
export async function readMajorVersion(layout: DataLayout): Promise<number | undefined> {
  const text = await readFile(path.join(layout.pgData, 'PG_VERSION'), 'utf8').catch((fault: unknown) => {
    if (codeOf(fault) === 'ENOENT') return undefined;
    if (codeOf(fault) === 'EACCES') {
      throw new EmbeddedPostgresFault(
        `${layout.pgData} belongs to another user. Start as that user or as root, or choose another --data directory.`,
      );
    }
    throw fault;
  });
  if (text === undefined) return undefined;
  const major = Number.parseInt(text, 10);
  if (!Number.isInteger(major)) {
    throw new EmbeddedPostgresFault(
      `${layout.pgData}/PG_VERSION does not hold a version: is this a database directory?`,
    );
  }
  return major;
}
