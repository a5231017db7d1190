/** Collects what a list says of one entry, row by row, in bounds and without repeating itself. */
import { countryCode } from './country-codes.ts';
import type { EntryKind, ListEntry, ListedName } from './list-entry.ts';
import { MAX_NAME_CHARS, MAX_NAMES_PER_ENTRY } from './list-entry.ts';
import type { PartialDate } from './partial-date.ts';

/** More tell nothing that the first ones do not. */
const MAX_BIRTH_DATES = 50;
const MAX_COUNTRIES = 50;

export class EntryDraft {
  readonly list: string;
  readonly id: string;
  readonly kind: EntryKind;
  private readonly names = new Map<string, ListedName>();
  private readonly birthDates = new Map<string, PartialDate>();
  private readonly countries = new Set<string>();

  constructor(list: string, id: string, kind: EntryKind) {
    this.list = list;
    this.id = id;
    this.kind = kind;
  }

  addName(written: string, quality: ListedName['quality'] = 'strong'): void {
    const text = written.replace(/\s+/g, ' ').trim().slice(0, MAX_NAME_CHARS);
    if (text === '' || this.names.size >= MAX_NAMES_PER_ENTRY) return;
    // A name that is listed as strong somewhere is strong.
    if (!this.names.has(text) || quality === 'strong') this.names.set(text, { text, quality });
  }

  addBirthDate(date: PartialDate | undefined): void {
    if (date !== undefined && this.birthDates.size < MAX_BIRTH_DATES) this.birthDates.set(JSON.stringify(date), date);
  }

  addCountry(written: string): void {
    const code = countryCode(written);
    if (code !== undefined && this.countries.size < MAX_COUNTRIES) this.countries.add(code);
  }

  /** Undefined when it has no name by which anybody could be found. */
  entry(): ListEntry | undefined {
    const { list, id, kind } = this;
    if (this.names.size === 0) return undefined;
    return {
      list,
      id,
      kind,
      names: [...this.names.values()],
      birthDates: [...this.birthDates.values()],
      countries: [...this.countries],
    };
  }
}
