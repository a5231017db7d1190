/**
 * What a proof was made on: a hash of every source that a proof runs through. What was proved on one version says
 * nothing of another.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { programHash } from '../simulate/results.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Beside the program itself: the proofs and the tests that they run, which for the planted faults are all. */
const FOLDERS = ['bench/', 'prove/', 'server/src/', 'test/'] as const;
const HASH_LENGTH = 16;

export function versionNow(): string {
  const hash = createHash('sha256').update(programHash());
  for (const file of sourcesOfProofs()) hash.update(`${file}\n`).update(readFileSync(ROOT + file));
  return hash.digest('hex').slice(0, HASH_LENGTH);
}

/** Results and pages are none: to write them down changes nothing of what was proved. */
export function sourcesOfProofs(): readonly string[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(ROOT + folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => folder + file)
      .sort(),
  );
}
