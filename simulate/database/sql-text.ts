/** Values on their way to PGlite and back, as text: the same as storage/pg.ts sends and gives. */
import type { SqlValue } from '../../server/src/kernel/database.ts';

/** Null stays null: the protocol has a sign of its own for it. */
export function toText(value: SqlValue): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return arrayText(value);
  return String(value);
}

function arrayText(values: readonly SqlValue[]): string {
  let text = '{';
  for (const value of values) text += text === '{' ? elementText(value) : `,${elementText(value)}`;
  return `${text}}`;
}

function elementText(value: SqlValue): string {
  const text = toText(value);
  if (text === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return text;
  return NEEDS_ESCAPE.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;
}

const NEEDS_ESCAPE = /["\\]/;

type Reader = (text: string) => unknown;

const readNumber: Reader = Number;
const readJson: Reader = (text) => JSON.parse(text);
const readTime: Reader = (text) => new Date(`${text.slice(0, text.length - '+00'.length).replace(' ', 'T')}Z`);
const readBytes: Reader = (text) => Buffer.from(text.slice('\\x'.length), 'hex');
const readTruth: Reader = (text) => text === 't';

/** By type id. What is not here stays text. */
const READERS: Readonly<Record<number, Reader>> = {
  16: readTruth,
  17: readBytes,
  20: BigInt,
  21: readNumber,
  23: readNumber,
  26: readNumber,
  114: readJson,
  700: readNumber,
  701: readNumber,
  1184: readTime,
  3802: readJson,
};

/** Type ids of arrays, and of what they hold. */
const ELEMENTS: Readonly<Record<number, number>> = {
  199: 114,
  1000: 16,
  1001: 17,
  1005: 21,
  1007: 23,
  1009: 25,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1182: 1082,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

export function readerOf(typeId: number): Reader {
  const element = ELEMENTS[typeId];
  if (element === undefined) return READERS[typeId] ?? String;
  const read = READERS[element] ?? String;
  return (text) => readArray(text).map((each) => (each === null ? null : read(each)));
}

/** One dimension, which is all that the program asks for. */
function readArray(text: string): (string | null)[] {
  const elements = text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,]+)/g);
  return [...elements].map(([, quoted, plain]) => {
    if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1');
    return plain === 'NULL' ? null : (plain ?? '');
  });
}
