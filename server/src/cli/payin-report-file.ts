/**
 * A provider's report as a file: JSON, a list of `{reference, amount, currency, time}`, or CSV with a line of those
 * names, in any order and among others. What the values are is looked at by the service.
 */
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { MAX_REPORT_LINES } from '../payins/report.ts';
import { CliFailure } from './failure.ts';

/** As much as the operator listener takes. */
const MAX_REPORT_BYTES = 3 * 1024 * 1024;
const NAMES = ['reference', 'amount', 'currency', 'time'] as const;

export async function readReportFile(path: string): Promise<unknown[]> {
  const text = await readText(path);
  const lines = text.trimStart().startsWith('[') ? readJson(path, text) : readCsv(path, text);
  if (lines.length === 0) throw new CliFailure(`${path} has no payments`);
  if (lines.length > MAX_REPORT_LINES) {
    throw new CliFailure(`${path} has more than ${MAX_REPORT_LINES} payments; divide it by time`);
  }
  return lines;
}

async function readText(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const facts = await file.stat();
      if (!facts.isFile()) throw new CliFailure(`${path} is not a file`);
      if (facts.size > MAX_REPORT_BYTES) throw new CliFailure(`${path} has more than ${MAX_REPORT_BYTES} bytes`);
      return (await file.readFile('utf8')).replace(/^\uFEFF/, '');
    } finally {
      await file.close();
    }
  } catch (fault) {
    if (fault instanceof CliFailure) throw fault;
    throw new CliFailure(`${path} cannot be read: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

function readJson(path: string, text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
  } catch {
    // Told below, without the words of the parser, which quote the file.
  }
  throw new CliFailure(`${path} is not a JSON list`);
}

/** As spreadsheets write them where the comma is for decimals. */
const OTHER_SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

function refuseOtherSeparator(path: string, text: string): void {
  const [head = ''] = text.trimStart().split('\n', 1);
  const found = Object.keys(OTHER_SEPARATORS).find((mark) => head.includes(mark));
  if (found === undefined || head.includes(',')) return;
  throw new CliFailure(`${path} has ${OTHER_SEPARATORS[found]} between its columns: write it with commas`);
}

function readCsv(path: string, text: string): unknown[] {
  refuseOtherSeparator(path, text);
  const [head = [], ...rows] = cellsIn(path, text);
  const names = head.map((name) => name.toLowerCase());
  const missing = NAMES.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new CliFailure(`${path} has no column ${missing.join(', ')}`);
  const doubled = NAMES.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (doubled.length > 0) throw new CliFailure(`${path} has more than one column ${doubled.join(', ')}`);
  return rows.map((cells, index) => {
    if (cells.length !== names.length) throw new CliFailure(`${path}: row ${index + 1} does not have the columns`);
    return Object.fromEntries(NAMES.map((name) => [name, cells[names.indexOf(name)]]));
  });
}

function cellsIn(path: string, text: string): string[][] {
  try {
    return parse(text, { skip_empty_lines: true, trim: true, relax_column_count: true });
  } catch (fault) {
    if (!(fault instanceof CsvError)) throw fault;
    // Without the words of the parser, which quote the file.
    throw new CliFailure(`${path} is not CSV: look at its quotes`);
  }
}
