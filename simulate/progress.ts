/** How far a run is: by its time or by its seeds, whichever ends it sooner. */
interface RunEnd {
  readonly forMs: number | undefined;
  readonly seeds: number | undefined;
}

const WIDTH = 30;
const MINUTE_MS = 60_000;

/** `[#########.....................] 30 %, 42 min left`; nothing for a run without an end. */
export function progressBar({ forMs, seeds }: RunEnd, ranMs: number, done: number): string {
  const shares = [forMs && ranMs / forMs, seeds && done / seeds].filter((share) => share !== undefined);
  if (shares.length === 0) return '';
  const share = Math.min(1, Math.max(...shares));
  const full = Math.floor(share * WIDTH);
  const left = share > 0 ? `, ${Math.ceil((ranMs / share - ranMs) / MINUTE_MS)} min left` : '';
  return `[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${Math.floor(share * 100)} %${left}`;
}
