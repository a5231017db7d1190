/**
 * Makes the database of a new data directory with initdb. It is made under another name and renamed when it is whole
 * and on disk, so that a program killed in the middle leaves nothing that a later start could take for a database.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Binaries, programPath } from './binaries.ts';
import { createPassword, ROLE } from './connection.ts';
import { EmbeddedPostgresFault, messageOf } from './faults.ts';
import { handOver } from './handover.ts';
import { type DataLayout, UNFINISHED_PREFIX } from './layout.ts';
import { runProgram } from './run-program.ts';
import { giveTo, type ServerUser } from './unprivileged.ts';

const INITDB_LIMIT_MS = 120_000;

export async function initialiseDatabase(
  layout: DataLayout,
  binaries: Binaries,
  user: ServerUser | undefined,
): Promise<void> {
  await removeUnfinished(layout);
  await createPassword(layout, user);
  const unfinished = path.join(layout.root, `${UNFINISHED_PREFIX}${randomUUID()}`);
  await mkdir(unfinished, { mode: 0o700 });
  await giveTo(user, unfinished);
  const handover = await handOver(user, [unfinished, layout.password]);
  try {
    const args = initdbArguments(handover.nameOf(unfinished), handover.nameOf(layout.password));
    const { descriptors } = handover;
    const result = await runProgram(programPath(binaries.directory, 'initdb'), args, {
      user,
      limitMs: INITDB_LIMIT_MS,
      descriptors,
    });
    if (!result.ok) throw new EmbeddedPostgresFault(`The database could not be made: ${result.output}`);
    await rename(unfinished, layout.pgData).catch((fault: unknown) => {
      throw new EmbeddedPostgresFault(`${layout.pgData} is in the way of the new database: ${messageOf(fault)}`);
    });
    await syncDirectory(layout.root);
  } catch (fault) {
    await rm(unfinished, { recursive: true, force: true });
    throw fault;
  } finally {
    await handover.close();
  }
}

/** Text sorts by its bytes on every machine, so that an index made on one is right on another. */
function initdbArguments(pgData: string, passwordFile: string): string[] {
  return [
    `--pgdata=${pgData}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--data-checksums',
    '--no-instructions',
  ];
}

async function removeUnfinished(layout: DataLayout): Promise<void> {
  for (const name of await readdir(layout.root)) {
    if (!name.startsWith(UNFINISHED_PREFIX)) continue;
    await rm(path.join(layout.root, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The rename itself must be on disk. Windows cannot do this for a directory and needs not. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
