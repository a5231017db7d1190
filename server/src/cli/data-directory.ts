/**
 * Which data directory is meant: the flag, or what the settings say, so that both programs agree without being told.
 */
import { resolve } from 'node:path';

export async function dataDirectory(flag: string | undefined): Promise<string> {
  if (flag !== undefined) return resolve(flag);
  const { dataOfSettings } = await import('./setting-flags.ts');
  return resolve(dataOfSettings());
}
