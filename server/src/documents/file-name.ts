/**
 * The name under which a file may be saved and opened. What somebody else called it could lead whoever saves it into
 * another directory, or have the machine run what is a picture by its first bytes only: `passport.html`. Pure.
 */
import { MAX_TEXT_CHARS } from '../kernel/storable.ts';
import type { MediaType } from './media.ts';

/**
 * Control characters, halves of surrogate pairs, and marks that turn the direction of writing and so hide an ending.
 */
const UNFIT = /[\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]/gu;
const ENDINGS: Readonly<Record<MediaType, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/heic': '.heic',
  'image/heif': '.heif',
  'application/pdf': '.pdf',
};

/** The last part of a path, with the ending of its type; `nameless` where nothing else is left of it. */
export function safeFileName(given: string, type: MediaType, nameless: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? '';
  const fit = last.replace(UNFIT, '').replace(/^\.+/, '').trim();
  const ending = ENDINGS[type];
  const stem = fit.toLowerCase().endsWith(ending) ? fit.slice(0, -ending.length) : fit;
  const own = type === 'image/jpeg' && stem.toLowerCase().endsWith('.jpeg') ? stem.slice(0, -'.jpeg'.length) : stem;
  return `${cutTo(own, MAX_TEXT_CHARS - ending.length) || nameless}${ending}`;
}

/** Never between the halves of a pair. */
function cutTo(text: string, maxChars: number): string {
  return text
    .slice(0, maxChars)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}
