/**
 * PGlite with the schema of the service, in a fifth of the time: to make its data directory and to run all migrations
 * takes seconds, so that is done once for each of its versions and each schema. What was made is kept beside the
 * installed packages, and goes when they go.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { type Migration, readMigrations, runMigrations } from '../../server/src/storage/migrate.ts';

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/payferry', import.meta.url));

type Directory = Uint8Array<ArrayBuffer>;

export async function openMigrated(): Promise<PGlite> {
  const migrations = await readMigrations();
  const file = join(CACHE, `pglite-${hashOf(migrations)}.tar`);
  const directory = kept(file) ?? keep(file, await make(migrations));
  return PGlite.create({ loadDataDir: new Blob([directory]) });
}

async function make(migrations: readonly Migration[]): Promise<Directory> {
  const lite = await PGlite.create();
  await runMigrations(
    {
      query: async <Row>(text: string, values?: unknown[]) =>
        values ? lite.query<Row>(text, values) : { rows: (await lite.exec(text)).flatMap(({ rows }) => rows as Row[]) },
    },
    migrations,
  );
  const directory = await lite.dumpDataDir('none');
  await lite.close();
  return new Uint8Array(await directory.arrayBuffer());
}

function kept(file: string): Directory | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Several processes may do so at once: whoever reads it finds a whole one. Where nothing can be kept it is made anew.
 */
function keep(file: string, directory: Directory): Directory {
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(CACHE, { recursive: true });
    writeFileSync(unfinished, directory);
    renameSync(unfinished, file);
  } catch {
    rmSync(unfinished, { force: true });
  }
  return directory;
}

function hashOf(migrations: readonly Migration[]): string {
  const hash = createHash('sha256').update(versionOfPglite());
  for (const { name, checksum } of migrations) hash.update(name).update(checksum);
  return hash.digest('hex').slice(0, 16);
}

function versionOfPglite(): string {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const { version } = JSON.parse(readFileSync(join(dirname(main), '../package.json'), 'utf8'));
  return String(version);
}
