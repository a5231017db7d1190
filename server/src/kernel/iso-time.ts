/**
 * Times as texts. A batch shows the same few moments hundreds of times, and to write one out takes longer than to look
 * it up.
 */
const MAX_KNOWN = 256;
const known = new Map<number, string>();

export function isoTime(time: Date): string {
  const ms = time.getTime();
  const made = known.get(ms);
  if (made !== undefined) return made;
  const text = time.toISOString();
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(ms, text);
  return text;
}
