/**
 * `payferry migrate`: brings the schema up to date and ends. `serve` does the same at its start; this is for those who
 * want it done before, for example once ahead of many processes. It refuses the database that `serve` refuses.
 */
import type { Command } from 'commander';
import { CliFailure, failIfForeseen } from './failure.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';

export function register(command: Command): void {
  addSettingFlags(command);
  command.option('--json', 'print JSON, for programs').action(migrate);
}

async function migrate(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { settings } = settingsOf(options);
  const { migrateDatabase } = await import('../compose/migrate-database.ts');
  const ran = await migrateDatabase(settings, (text) => console.error(text))
    .catch(failIfForeseen)
    .catch(failWithMessage);
  const { json } = options;
  if (json === true) console.log(JSON.stringify({ migrations: ran }, null, 2));
  else console.log(ran.length === 0 ? 'The schema is up to date.' : `Migrated: ${ran.join(', ')}`);
}

/** What a database has to say about itself is for people; where in the program it was said is not. */
function failWithMessage(fault: unknown): never {
  if (fault instanceof CliFailure) throw fault;
  const message = fault instanceof Error ? fault.message : String(fault);
  const cause = fault instanceof Error && fault.cause instanceof Error ? `: ${fault.cause.message}` : '';
  throw new CliFailure(`${message}${cause}`);
}
