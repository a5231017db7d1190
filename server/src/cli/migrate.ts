/**
 * `payferry migrate`: brings the schema up to date and ends. `serve` does the same at its start; this is for those who
 * want it done before, for example once ahead of many processes.
 */
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';

export function register(command: Command): void {
  addSettingFlags(command);
  command.option('--json', 'print JSON, for programs').action(migrateDatabase);
}

async function migrateDatabase(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { settings } = settingsOf(options);
  const ran = settings.database.url === null ? await migrateEmbedded(settings.data) : await run(settings.database.url);
  const { json } = options;
  if (json === true) console.log(JSON.stringify({ migrations: ran }, null, 2));
  else console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
}

async function migrateEmbedded(dataDir: string): Promise<string[]> {
  const { startEmbeddedPostgres } = await import('../storage/embedded/supervisor.ts');
  const onProgress = (text: string) => console.error(text);
  const server = await startEmbeddedPostgres({ dataDir, onProgress }).catch(failWithMessage);
  try {
    return await run(server.url);
  } finally {
    await server.stop();
  }
}

async function run(url: string): Promise<string[]> {
  const { migrate } = await import('../storage/migrate.ts');
  const onWait = (migration: string) => console.error(`migration ${migration} waits: somebody uses its table`);
  return migrate(url, undefined, { onWait }).catch(failWithMessage);
}

/** What a database has to say about itself is for people; where in the program it was said is not. */
function failWithMessage(fault: unknown): never {
  const message = fault instanceof Error ? fault.message : String(fault);
  const cause = fault instanceof Error && fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  throw new CliFailure(`${message}${cause}`);
}
