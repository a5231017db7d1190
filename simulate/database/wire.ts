/**
 * PostgreSQL's protocol, as much of it as the simulation speaks: written into one buffer that stays, and read where it
 * arrived. Every statement of every seed passes here, so that nothing is made that is not needed.
 */
import { assert } from '../../server/src/kernel/assert.ts';

const FIRST_BYTES = 1 << 20;
/** Of a length, which counts itself. */
const INT32_BYTES = 4;
const INT16_BYTES = 2;
/** In UTF-8 a unit of a string takes at most this. */
const MAX_BYTES_PER_UNIT = 3;
const NULL_LENGTH = -1;

const code = (letter: string) => letter.charCodeAt(0);
const BIND = code('B');
const EXECUTE = code('E');
const SYNC = code('S');

/** Messages on their way to the server. */
export class Outgoing {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** Binds the values to a prepared statement and runs it; both sides speak text. */
  run(statement: string, values: readonly (string | null)[]): this {
    const bind = this.#open(BIND);
    this.#cString('');
    this.#cString(statement);
    this.#int16(0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    this.#int16(0);
    this.#close(bind);
    const execute = this.#open(EXECUTE);
    this.#cString('');
    this.#int32(0);
    this.#close(execute);
    return this;
  }

  sync(): this {
    this.#close(this.#open(SYNC));
    return this;
  }

  /** What was written since the last time. It is overwritten by what is written next. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  /** Returns where its length belongs. */
  #open(kind: number): number {
    this.#room(1 + INT32_BYTES);
    this.#bytes[this.#length] = kind;
    const place = this.#length + 1;
    this.#length = place + INT32_BYTES;
    return place;
  }

  #close(place: number): void {
    this.#bytes.writeInt32BE(this.#length - place, place);
  }

  #value(value: string | null): void {
    const place = this.#length;
    this.#int32(NULL_LENGTH);
    if (value === null) return;
    this.#room(value.length * MAX_BYTES_PER_UNIT);
    const written = this.#bytes.write(value, this.#length, 'utf8');
    this.#bytes.writeInt32BE(written, place);
    this.#length += written;
  }

  /** Only names that we make: a letter is a byte. */
  #cString(text: string): void {
    this.#room(text.length + 1);
    this.#length += this.#bytes.write(text, this.#length, 'latin1');
    this.#bytes[this.#length] = 0;
    this.#length += 1;
  }

  #int16(value: number): void {
    this.#room(INT16_BYTES);
    this.#length = this.#bytes.writeInt16BE(value, this.#length);
  }

  #int32(value: number): void {
    this.#room(INT32_BYTES);
    this.#length = this.#bytes.writeInt32BE(value, this.#length);
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

const DATA_ROW = code('D');
const COMMAND_COMPLETE = code('C');
const ERROR = code('E');
const READY = code('Z');

export interface Column {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

export interface Answered {
  readonly rows: Record<string, unknown>[];
  /** Rows that the last statement touched. */
  readonly count: number;
  readonly hasFailed: boolean;
}

/** What the server has answered, in the pieces in which it came. */
export class Incoming {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  /** The piece is memory of the server, and is copied. */
  readonly hear = (piece: Uint8Array): void => {
    if (this.#length + piece.length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * (this.#length + piece.length));
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length += piece.length;
  };

  forget(): void {
    this.#length = 0;
  }

  /** Everything, as it came; good until something else is heard. */
  get whole(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Rows have these columns: all statements of an answer but one give none. */
  read(columns: readonly Column[]): Answered {
    const bytes = this.#bytes;
    const rows: Record<string, unknown>[] = [];
    let count = 0;
    let hasFailed = false;
    let kind = 0;
    for (let place = 0; place < this.#length; ) {
      kind = bytes[place] ?? 0;
      const end = place + 1 + bytes.readInt32BE(place + 1);
      const body = place + 1 + INT32_BYTES;
      if (kind === DATA_ROW) rows.push(rowAt(bytes, body, columns));
      else if (kind === COMMAND_COMPLETE) count = countIn(bytes.toString('latin1', body, end - 1));
      else if (kind === ERROR) hasFailed = true;
      place = end;
    }
    assert(kind === READY, 'the server has answered to the end');
    return { rows, count, hasFailed };
  }
}

function rowAt(bytes: Buffer, body: number, columns: readonly Column[]): Record<string, unknown> {
  assert(bytes.readInt16BE(body) === columns.length, 'a row has the columns that were described');
  const row: Record<string, unknown> = {};
  let place = body + INT16_BYTES;
  for (const { name, read } of columns) {
    const length = bytes.readInt32BE(place);
    place += INT32_BYTES;
    if (length === NULL_LENGTH) row[name] = null;
    else {
      row[name] = read(bytes.toString('utf8', place, place + length));
      place += length;
    }
  }
  return row;
}

const SPACE = code(' ');
const ZERO = code('0');

/** `UPDATE 3`, `INSERT 0 3`, `SELECT 3`; `BEGIN` has none. */
function countIn(tag: string): number {
  let count = 0;
  let unit = 1;
  for (let place = tag.length - 1; place >= 0; place -= 1) {
    const letter = tag.charCodeAt(place);
    if (letter === SPACE) return count;
    count += (letter - ZERO) * unit;
    unit *= 10;
  }
  return 0;
}
