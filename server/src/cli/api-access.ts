/**
 * Address, key and secret for calls to the API: from flags, from the environment, or from a sandbox's data directory.
 */
import type { Command } from 'commander';
import { readSandboxAccess, type SandboxAccess, sandboxFile } from '../operator/local-files.ts';
import { dataDirectory } from './data-directory.ts';
import { CliFailure } from './failure.ts';

export interface AccessFlags {
  readonly key?: string;
  readonly secret?: string;
  readonly url?: string;
  readonly data?: string;
}

export function addAccessFlags(command: Command): Command {
  return command
    .option('--key <key>', 'the API key (or PAYFERRY_API_KEY)')
    .option('--secret <secret>', 'the API secret (or PAYFERRY_API_SECRET)')
    .option('--url <url>', 'the base address of the API')
    .option('--data <dir>', 'the data directory of a sandbox, where all three are found');
}

export async function findAccess(flags: AccessFlags): Promise<SandboxAccess> {
  const { PAYFERRY_API_KEY: envKey, PAYFERRY_API_SECRET: envSecret } = process.env;
  const key = flags.key ?? (envKey || undefined);
  const secret = flags.secret ?? (envSecret || undefined);
  if (flags.url !== undefined && key !== undefined && secret !== undefined) return { url: flags.url, key, secret };
  const directory = await dataDirectory(flags.data);
  const stored = await readSandboxAccess(directory).catch((fault: NodeJS.ErrnoException) => {
    throw new CliFailure(`${sandboxFile(directory)} cannot be read (${fault.code ?? fault.message})`);
  });
  if (!stored) {
    throw new CliFailure(
      `there is no ${sandboxFile(directory)}: has a sandbox been started with this data directory? ` +
        'Name it with --data, or give --url, --key and --secret.',
    );
  }
  // A key without its own secret would be signed with another one's.
  if ((key === undefined) !== (secret === undefined)) throw new CliFailure('give key and secret, or neither');
  return { url: flags.url ?? stored.url, key: key ?? stored.key, secret: secret ?? stored.secret };
}
