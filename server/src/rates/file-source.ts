/**
 * The built-in rate source: a JSON file that the operator keeps up to date. It is read anew each time.
 * `{"sample": false, "base": "USD", "as_of": "2026-11-15T08:00:00Z", "rates": {"NGN": "1525.40"}}`, where a rate is
 * units of the currency per one unit of the base, as a decimal string. Keys that begin with $ are comments.
 */
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { isCurrency } from '../money/currencies.ts';
import { RateDataInvalid, type RateSheet, readRates } from './sheet.ts';
import type { RateSource } from './source.ts';

/** A full table is about 1 kB. */
export const MAX_RATE_FILE_BYTES = 64 * 1024;

const ISO_UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
/** `2026-11-15T08:00:00`. */
const SECONDS_CHARS = 19;

export function fileRateSource(path: string): RateSource {
  return {
    async read() {
      return parseRateFile(path, await readBounded(path));
    },
  };
}

/** Throws RateDataInvalid with every mistake of the file at once. */
export function parseRateFile(name: string, text: string): RateSheet {
  const file = parseJson(text);
  if (!isRecord(file)) throw new RateDataInvalid(name, ['the file is not a JSON object']);
  const { sample = false, base, as_of: writtenTime, rates: writtenRates, ...others } = file;
  const asOf = readTime(writtenTime);
  const mistakes = Object.keys(others)
    .filter((key) => !key.startsWith('$'))
    .map((key) => `${key} is not a key of a rate file`);
  if (typeof sample !== 'boolean') mistakes.push('sample is neither true nor false');
  if (!isCurrency(base)) mistakes.push('base is not a currency of the service');
  if (asOf === undefined) mistakes.push('as_of is not a time such as 2026-11-15T08:00:00Z');
  if (!isRecord(writtenRates)) mistakes.push('rates is not an object');
  const read = readRates(isCurrency(base) ? base : undefined, isRecord(writtenRates) ? writtenRates : {});
  mistakes.push(...read.mistakes);
  if (mistakes.length > 0 || !isCurrency(base) || asOf === undefined) throw new RateDataInvalid(name, mistakes);
  const rates = new Map([...read.rates].map(([code, rate]) => [code, { rate, asOf }]));
  return { base, asOf, sample: sample === true, rates };
}

/** One byte more than allowed is asked for, so that a longer file is noticed and not silently shortened. */
async function readBounded(path: string): Promise<string> {
  const content = await buffer(createReadStream(path, { end: MAX_RATE_FILE_BYTES }));
  if (content.length > MAX_RATE_FILE_BYTES) {
    throw new RateDataInvalid(path, [`the file is longer than ${MAX_RATE_FILE_BYTES} bytes`]);
  }
  // Some editors begin a file with a mark of its encoding.
  return content.toString('utf8').replace(/^\uFEFF/, '');
}

function readTime(written: unknown): Date | undefined {
  if (typeof written !== 'string' || !ISO_UTC_TIME.test(written)) return undefined;
  const time = new Date(written);
  // The 31st of February reads as a day in March: such a time does not come back as it was written.
  const real = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(written.slice(0, SECONDS_CHARS));
  return real ? time : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
