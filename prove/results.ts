/**
 * prove/results.json: of each proof its last result, with the version on which it was made. Results from before
 * versions were kept have none, and count as those of an older version.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export type Facts = Readonly<Record<string, unknown>>;

export interface ProofResult extends Facts {
  readonly at: string;
  readonly version?: string;
}

export type ProofResults = Readonly<Record<string, ProofResult>>;

const RESULTS = fileURLToPath(new URL('./results.json', import.meta.url));

export function readResults(file = RESULTS): ProofResults {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Read anew before: planted faults write theirs while a longer run is under way. */
export function writeResult(name: string, result: ProofResult, file = RESULTS): ProofResults {
  const results = { ...readResults(file), [name]: result };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  return results;
}

/** What was proved on another version has to be proved again. */
export function isProvedOn(version: string, result: Pick<ProofResult, 'version'> | undefined): boolean {
  return result?.version === version;
}
