/** How long something waits, for people. */
import { at, type Json } from './json.ts';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
] as const;

/** In its largest unit: nobody counts the minutes of something that waits for days. */
export function ageOf(item: Json): string {
  const seconds = Number(at(item, 'age_seconds'));
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit === undefined ? `${seconds}s` : `${Math.floor(seconds / unit[1])}${unit[0]}`;
}
