/** Rows of a CSV file, one at a time, with the line on which each ends. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse } from 'csv-parse';
import { ListInvalid } from './list-entry.ts';
import type { ListFile } from './list-file.ts';

interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The longest rows published are some kB of remarks. */
const MAX_ROW_CHARS = 1_000_000;
/** What a file of the US Treasury ends with. */
const END_OF_FILE = '\u001a';

export async function* csvRows(file: ListFile, delimiter: ',' | ';'): AsyncGenerator<CsvRow> {
  const parser = parse({ delimiter, bom: true, info: true, relax_column_count: true, max_record_size: MAX_ROW_CHARS });
  // A fault of either side ends the other and comes out of the loop below.
  const fed = pipeline(Readable.from(file.text()), parser).catch(() => undefined);
  try {
    for await (const read of parser) {
      const row = rowOf(read);
      if (row.cells.length > 1 || row.cells[0]?.replace(END_OF_FILE, '').trim() !== '') yield row;
    }
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    const line: unknown = Reflect.get(fault, 'lines');
    throw new ListInvalid({ file: file.path, line: typeof line === 'number' ? line : undefined }, fault.message);
  }
  await fed;
}

function rowOf(read: unknown): CsvRow {
  const { record, info } = Object(read);
  return { line: Number(info.lines), cells: Array.isArray(record) ? record.map(String) : [] };
}

/** A row of a file whose first row names its columns. */
export interface NamedRow {
  readonly line: number;
  /** Empty where the row has nothing. */
  cell(column: string): string;
}

/** Throws ListInvalid when a column of `needed` is missing, or a row has another number of cells than the first. */
export async function* namedCsvRows(
  file: ListFile,
  options: { readonly delimiter: ',' | ';'; readonly needed: readonly string[] },
): AsyncGenerator<NamedRow> {
  let columns: ReadonlyMap<string, number> | undefined;
  for await (const { line, cells } of csvRows(file, options.delimiter)) {
    if (columns === undefined) {
      const named = new Map(cells.map((cell, at) => [cell.trim(), at]));
      const missing = options.needed.filter((column) => !named.has(column));
      if (missing.length > 0) throw new ListInvalid({ file: file.path, line }, `has no column ${missing.join(', ')}`);
      columns = named;
      continue;
    }
    if (cells.length !== columns.size) {
      throw new ListInvalid({ file: file.path, line }, `has ${cells.length} cells in place of ${columns.size}`);
    }
    const places = columns;
    yield { line, cell: (column) => cells[places.get(column) ?? -1]?.trim() ?? '' };
  }
}
