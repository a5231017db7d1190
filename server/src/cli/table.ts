/** Tables and lists of fields for people. Columns are as wide as their widest cell; numbers stand on the right. */
import { shown } from './shown.ts';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string;
  readonly isNumber?: boolean;
}

const GAP = '  ';

export function formatTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = [
    columns.map((column) => column.title),
    ...rows.map((row) => columns.map((column) => shown(column.cell(row)))),
  ];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => widthOf(line[index] ?? ''))));
  const lines = cells.map((line) =>
    columns.map((column, index) => pad(line[index] ?? '', widths[index] ?? 0, column.isNumber === true)).join(GAP),
  );
  return lines.map((line) => line.trimEnd()).join('\n');
}

/** As a part of a page: nothing where there are no rows. */
export function tableIfAny<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  return rows.length === 0 ? [] : [formatTable(columns, rows)];
}

/** One line per field, its name on the left. */
export function formatFields(fields: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...fields.map(([name]) => widthOf(name)));
  return fields.map(([name, value]) => `${pad(name, width, false)}${GAP}${shown(value)}`.trimEnd()).join('\n');
}

function pad(text: string, width: number, isNumber: boolean): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isNumber ? space + text : text + space;
}

/** Characters, not units of the encoding. */
function widthOf(text: string): number {
  return [...text].length;
}
