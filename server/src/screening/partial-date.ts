/**
 * Birth dates as lists write them: whole, month and year, year alone, about a year, or between two years. All are read
 * into one form; what cannot be read is no evidence and is left out.
 */

export interface PartialDate {
  readonly fromYear: number;
  /** The same as fromYear unless the list says about, or between. */
  readonly toYear: number;
  readonly month: number | null;
  readonly day: number | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MAX_MONTH = 12;
const MAX_DAY = 31;
/** Years on either side of one that a list gives as about right. Open point OP-189. */
export const ABOUT_YEARS = 1;

const YEAR = /^((?:1[89]|20)\d\d)$/;
const BETWEEN = /^(?:between )?((?:1[89]|20)\d\d) ?(?:-|to|and|\/) ?((?:1[89]|20)\d\d)$/;
const ISO = /^((?:1[89]|20)\d\d)-(\d\d)(?:-(\d\d))?(?:$|T)/;
const WORDS = /^(?:(\d{1,2}) )?([a-z]{3})[a-z]* ((?:1[89]|20)\d\d)$/;
const ABOUT = /^(?:circa|approximately|approx\.?|about|c\.) ?/;

/** `18 Mar 1964`, `Mar 1964`, `1964`, `circa 1964`, `1962 to 1964`, `1964-03-18`, `1964-03`. */
export function parsePartialDate(written: string): PartialDate | undefined {
  const text = written.trim().toLowerCase();
  const about = ABOUT.exec(text);
  const date = parsePlain(about === null ? text : text.slice(about[0].length));
  if (date === undefined || about === null) return date;
  return { fromYear: date.fromYear - ABOUT_YEARS, toYear: date.toYear + ABOUT_YEARS, month: null, day: null };
}

function parsePlain(text: string): PartialDate | undefined {
  const year = YEAR.exec(text);
  if (year) return yearsBetween(Number(year[1]), Number(year[1]));
  const between = BETWEEN.exec(text);
  if (between) return yearsBetween(Number(between[1]), Number(between[2]));
  // ISO dates with a time have it behind a T, which is small by now.
  const iso = ISO.exec(text.replace('t', 'T'));
  if (iso) return wholeDate(Number(iso[1]), Number(iso[2]), iso[3] === undefined ? null : Number(iso[3]));
  const words = WORDS.exec(text);
  if (!words) return undefined;
  return wholeDate(
    Number(words[3]),
    MONTHS.indexOf(words[2] ?? '') + 1,
    words[1] === undefined ? null : Number(words[1]),
  );
}

export function yearsBetween(fromYear: number, toYear: number): PartialDate | undefined {
  return fromYear <= toYear ? { fromYear, toYear, month: null, day: null } : undefined;
}

/** A month of 00, as some files write what they do not know, leaves the year. */
export function wholeDate(year: number, month: number | null, day: number | null): PartialDate {
  const knowsMonth = month !== null && month >= 1 && month <= MAX_MONTH;
  const knowsDay = knowsMonth && day !== null && day >= 1 && day <= MAX_DAY;
  return { fromYear: year, toYear: year, month: knowsMonth ? month : null, day: knowsDay ? day : null };
}
