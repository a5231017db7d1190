/** Finds the files that come with the program, from the checkout (server/src) and from the build (dist) alike. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from './assert.ts';

const MAX_LEVELS = 6;

function packageRoot(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    if (existsSync(join(directory, 'package.json'))) return directory;
    directory = dirname(directory);
  }
  assert(false, 'the program lies below its package.json');
}

export const corridorsDirectory = (): string => join(packageRoot(), 'server', 'corridors');
export const migrationsDirectory = (): string => join(packageRoot(), 'server', 'migrations');
export const sampleRatesFile = (): string => join(packageRoot(), 'server', 'rates', 'sample.json');

/** The version of the program. */
export function programVersion(): string {
  const { version } = Object(JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')));
  return String(version);
}
