/** Where a page ended, as operators are given it and give it back: opaque to them, and in the form of forms.ts. */
import type { Cursor } from '../kernel/cursor.ts';

export function cursorText(next: Cursor | null): string | null {
  return next && `${next.at.getTime()}_${next.id}`;
}

export function readCursor(text: string | undefined): Cursor | null {
  if (text === undefined) return null;
  const [timeMs = '0', id = ''] = text.split('_');
  return { at: new Date(Number(timeMs)), id };
}
