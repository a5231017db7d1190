/**
 * Days without a time. Client libraries that know only moments send a day as its midnight, in UTC or without a zone;
 * that is read too, and every other time of day is refused, because it could mean two days. Spec: Sender (birth_date).
 * Open point OP-244.
 */

const DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T00:00:00(?:\.0{1,9})?(?:Z|\+00:?00)?)?$/;
const MOMENT =
  /^(\d{4}-\d{2}-\d{2})(T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)?$/;
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
 * A day or a moment in ISO 8601, as the moment in UTC that its field is published as: some client libraries can read
 * nothing else, and each writes a moment in its own way. A day is its midnight, a moment without a zone one in UTC.
 */
export function readMoment(value: unknown): string | undefined {
  const midnight = readDay(value);
  if (midnight !== undefined) return `${midnight}T00:00:00.000Z`;
  if (typeof value !== 'string' || value.length > MAX_DATE_CHARS) return undefined;
  const [, day, time = '', zone = 'Z'] = MOMENT.exec(value) ?? [];
  if (readDay(day) === undefined) return undefined;
  const moment = new Date(`${day}${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  // In another zone it may be of a year that no day has.
  return readDay(dayOf(moment)) === undefined ? undefined : moment.toISOString();
}

/** The day of a moment, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
