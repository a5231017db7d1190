/** A moment as operators see it; null where there is none. */
export function timeView(time: Date | null | undefined): string | null {
  return time?.toISOString() ?? null;
}
