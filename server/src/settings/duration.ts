/** Durations as people write them (`90s`, `5m`, `24h`, `7d`) and as the program uses them: whole milliseconds. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Nine digits of days are still a whole number that a double holds exactly. */
const WRITTEN = /^([0-9]{1,9})(ms|s|m|h|d)$/;

export function parseDuration(text: string): number | undefined {
  const match = WRITTEN.exec(text);
  const unit = UNITS.find(([name]) => name === match?.[2]);
  return match === null || unit === undefined ? undefined : Number(match[1]) * unit[1];
}

/** In the largest unit that leaves no rest, except that one day stays `24h`, as most people write it. */
export function formatDuration(durationMs: number): string {
  if (durationMs === 0) return '0s';
  const unit = UNITS.find(([name, ms]) => durationMs % ms === 0 && !(name === 'd' && durationMs === ms));
  return unit === undefined ? `${durationMs}ms` : `${durationMs / unit[1]}${unit[0]}`;
}
