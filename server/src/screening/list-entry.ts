/** What every list is read into, whatever its format, and the bounds of what is read. */
import type { PartialDate } from './partial-date.ts';

export type EntryKind = 'person' | 'entity';

export interface ListedName {
  readonly text: string;
  /** Weak: the list itself says that the alias is of little use alone. */
  readonly quality: 'strong' | 'weak';
}

export interface ListEntry {
  readonly list: string;
  readonly id: string;
  readonly kind: EntryKind;
  /** The main name first. Never empty. */
  readonly names: readonly ListedName[];
  readonly birthDates: readonly PartialDate[];
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

/** Largest published lists: about 120 MB as XML. */
export const MAX_LIST_BYTES = 512 * 1024 * 1024;
/** All lists together. */
export const MAX_ENTRIES = 500_000;
/** A few entries have some hundred aliases; what comes after this many is no longer a person. */
export const MAX_NAMES_PER_ENTRY = 500;
export const MAX_NAME_CHARS = 1_000;

/** A list file that cannot be used as a whole. Says by which setting it is read, where and why, for the operator. */
export class ListInvalid extends Error {
  override readonly name = 'ListInvalid';
  readonly file: string;
  /** Undefined: the file as a whole. */
  readonly line: number | undefined;
  readonly reason: string;
  /** It could not be read just now, by a disk or for want of open files: that says nothing about what is in it. */
  readonly isUnread: boolean;

  constructor(
    at: { readonly file: string; readonly line?: number | undefined; readonly isUnread?: boolean },
    reason: string,
  ) {
    super(`screening.lists: ${at.file}${at.line === undefined ? '' : `, line ${at.line}`}: ${reason}`);
    this.file = at.file;
    this.line = at.line;
    this.reason = reason;
    this.isUnread = at.isUnread ?? false;
  }
}
