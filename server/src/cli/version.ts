/** The version of the program, from the package.json above it: in the checkout and in the build alike. */
import { existsSync, readFileSync } from 'node:fs';

const MAX_LEVELS = 5;

export function programVersion(): string {
  let place = new URL('./package.json', import.meta.url);
  for (let level = 0; level < MAX_LEVELS && !existsSync(place); level += 1) place = new URL('../package.json', place);
  const { version } = Object(JSON.parse(readFileSync(place, 'utf8')));
  return String(version);
}
