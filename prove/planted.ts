/**
 * The results of planted faults as prove/results.json keeps them: by the name of the fault the test that caught it, and
 * beside these the version on which each was caught. Those from before versions were kept have none.
 */
import type { ProofResult } from './results.ts';

export interface Caught {
  /** The first test that failed, as `file: name`. */
  readonly by: string;
  readonly version: string | undefined;
}

/** Not names of faults. */
const FIELDS = new Set(['at', 'version', 'seed', 'seconds', 'planted', 'caught', 'versions']);

export function caughtIn(result: ProofResult | undefined): ReadonlyMap<string, Caught> {
  const versions = new Map(Object.entries(Object(result?.['versions'])));
  return new Map(
    Object.entries(result ?? {})
      .filter(([name]) => !FIELDS.has(name))
      .map(([name, by]) => [name, { by: String(by), version: textOf(versions.get(name)) }]),
  );
}

/** It has a version as a whole only where all faults were planted in the same one and caught there. */
export function plantedResult(caught: ReadonlyMap<string, Caught>, planted: number, at: Date): ProofResult {
  const versions = [...caught].flatMap(([name, { version }]) => (version === undefined ? [] : [[name, version]]));
  const [one, ...others] = new Set([...caught.values()].map(({ version }) => version));
  const isWhole = one !== undefined && others.length === 0 && caught.size === planted;
  return {
    at: at.toISOString(),
    ...(isWhole && { version: one }),
    planted,
    caught: caught.size,
    ...Object.fromEntries([...caught].map(([name, { by }]) => [name, by])),
    versions: Object.fromEntries(versions),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
