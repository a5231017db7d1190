/** Finds the corridor files that come with the program, from the checkout (server/src) and from the build (dist). */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assert } from '../kernel/assert.ts';

const MAX_LEVELS = 6;

export function corridorsDirectory(): string {
  let directory = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    if (existsSync(join(directory, 'package.json'))) return join(directory, 'server', 'corridors');
    directory = dirname(directory);
  }
  assert(false, 'the program lies below its package.json');
}
