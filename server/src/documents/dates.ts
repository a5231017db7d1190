/**
 * Days without a time. Client libraries that know only moments send a day as its midnight, in UTC or without a zone; that
 * is read too, and every other time of day is refused, because it could mean two days. Spec: Sender (birth_date). Open
 * point OP-244.
 */

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T00:00:00(?:\.0{1,9})?(?:Z|\+00:?00)?)?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;
/** Checked before the patterns. */
const MAX_DATE_CHARS = 40;

/** The day as YYYY-MM-DD, if there is such a day. */
export function readDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_DATE_CHARS) return undefined;
  const match = DAY.exec(value);
  if (match === null) return undefined;
  const [, year = '', month = '', day = ''] = match;
  const text = `${year}-${month}-${day}`;
  const time = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // The calendar of the program rolls the 31st of June over to July: what comes back differs.
  return !Number.isNaN(time.getTime()) && dayOf(time) === text ? text : undefined;
}

/**
 * A day or a moment in ISO 8601, as it was written; a moment without a zone is one in UTC, and says so from then on: some
 * client libraries cannot read it otherwise.
 */
export function readDayOrMoment(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_DATE_CHARS) return undefined;
  const match = MOMENT.exec(value);
  if (match === null) return readDay(value) === undefined ? undefined : value;
  const [, day, , , , zone] = match;
  if (readDay(day) === undefined) return undefined;
  return zone === undefined ? `${value}Z` : value;
}

/** The day of a moment, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
