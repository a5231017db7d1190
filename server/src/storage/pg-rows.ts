/** Rows as a stream for the server: COPY in binary form. */
import { present } from '../kernel/assert.ts';
import type { ColumnType, RowsInto, SqlScalar } from '../kernel/database.ts';
import {
  bytesSoFar,
  elementType,
  putBytes,
  putInt16,
  putInt32,
  putNull,
  setInt32,
  startBytes,
  takeBytes,
  type WriteElement,
} from './pg-bytes.ts';
import { putList } from './pg-lists.ts';

/** What a stream in binary form begins with: a signature, no flags, no extension. */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const NO_MORE_ROWS = -1;
const COPY_DATA = Buffer.from('d');
const COPY_DONE = Buffer.from('c\0\0\0\x04', 'latin1');

/** The messages of the protocol that carry these rows. Undefined: a value is not of the type of its column. */
export function copyMessages<Row>({ columns }: RowsInto<Row>, rows: readonly Row[]): Buffer | undefined {
  startBytes();
  putBytes(COPY_DATA);
  const lengthAt = bytesSoFar();
  putInt32(0);
  putBytes(SIGNATURE);
  const steps = columns.map(({ type, read }) => ({ read, write: writerOf(type) }));
  for (const row of rows) {
    putInt16(steps.length);
    for (const { read, write } of steps) {
      const value = read(row);
      if (value === null) putNull();
      else if (!write(value)) return undefined;
    }
  }
  putInt16(NO_MORE_ROWS);
  setInt32(bytesSoFar() - lengthAt, lengthAt);
  putBytes(COPY_DONE);
  return takeBytes();
}

function writerOf(type: ColumnType): WriteElement {
  return type === 'words' ? putWords : present(elementType(type), 'the binary form of a column').write;
}

function putWords(words: SqlScalar): boolean {
  if (typeof words !== 'string') return false;
  const lengthAt = bytesSoFar();
  putInt32(0);
  const isPut = putList('text', words === '' ? [] : words.split(' '));
  setInt32(bytesSoFar() - lengthAt - 4, lengthAt);
  return isPut;
}
