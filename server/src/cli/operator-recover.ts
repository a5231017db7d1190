/**
 * `payferry operator recover NAME`: a new token without one. Works on the database itself, as `migrate` does, and needs
 * the settings of the service: where its database is, and its master key.
 */
import { hostname, userInfo } from 'node:os';
import type { Command } from 'commander';
import { CliFailure, failIfForeseen } from './failure.ts';
import { addSettingFlags, settingsOf } from './setting-flags.ts';
import { formatFields } from './table.ts';

export function registerRecover(operator: Command): void {
  const command = operator
    .command('recover <name>')
    .description('give an operator a new token without having one: by the database and the master key of the service')
    .option('--new', 'add an operator of this name; nobody loses a token')
    .option('--json', 'print JSON, for programs');
  addSettingFlags(command);
  command.action(recover);
}

async function recover(name: string, options: Readonly<Record<string, unknown>>): Promise<void> {
  const { settings } = settingsOf(options);
  const { new: wantsNew, json } = options;
  const { makeToken } = await import('../accounts/operators.ts');
  const { recoverOnDatabase } = await import('../compose/recover-operator.ts');
  const token = makeToken();
  const input = { name, isNew: wantsNew === true, token, user: userName(), host: hostname() };
  const onProgress = (text: string) => console.error(text);
  const outcome = await recoverOnDatabase(settings, input, onProgress).catch(failIfForeseen);
  if (!outcome.ok) throw new CliFailure(`${outcome.refusal.code}: ${outcome.refusal.details.join('; ')}`);
  const { operator, isKeyTried } = outcome.value;
  if (!isKeyTried) console.error('Nothing is stored under a master key yet, so this one could not be tried.');
  if (json === true) console.log(JSON.stringify({ operator: { name: operator.name }, token }, null, 2));
  else
    console.log(
      formatFields([
        ['Operator', operator.name],
        ['Token', token],
        // The file still has the token before: commands that read it are refused.
        ['Use it by', 'PAYFERRY_OPERATOR_TOKEN; operator.json is left as it is'],
      ]),
    );
}

/** In a container the user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
