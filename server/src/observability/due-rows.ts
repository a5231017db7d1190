/** Work that waits, from the row in which a statement counts it. */
import type { DueRows } from './metrics.ts';

interface CountedRow {
  readonly due: bigint;
  /** Left out where a claim lasts no longer than its database transaction, and is not seen from outside. */
  readonly claimed?: bigint;
  readonly oldest: Date | null;
}

export function dueRows(kind: string, row: CountedRow | undefined, now: Date): DueRows {
  const oldest = row?.oldest ?? null;
  return {
    kind,
    due: Number(row?.due ?? 0n),
    claimed: Number(row?.claimed ?? 0n),
    oldestSeconds: oldest === null ? 0 : (now.getTime() - oldest.getTime()) / 1_000,
  };
}
