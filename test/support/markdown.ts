/** A small reader of the tables in our documents, for the tests that compare them with the code. */
import { readFileSync } from 'node:fs';
import { assert, present } from '../../server/src/kernel/assert.ts';

interface MarkdownTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The text of a file, by its path from the root of the project. */
export function readDocument(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

/** The one table under a heading, up to the next heading of any level. Backticks are left out of its cells. */
export function tableUnder(markdown: string, heading: string): MarkdownTable {
  const lines = markdown.split('\n');
  const starts = lines.flatMap((line, place) =>
    /^#+ /.test(line) && line.replace(/^#+ /, '') === heading ? [place] : [],
  );
  assert(starts.length === 1, `the document has one heading "${heading}", not ${starts.length}`);
  const from = present(starts[0], heading) + 1;
  const length = lines.slice(from).findIndex((line) => /^#+ /.test(line));
  const section = lines.slice(from, length === -1 ? undefined : from + length);
  const first = section.findIndex((line) => line.startsWith('|'));
  assert(first !== -1, `there is a table under "${heading}"`);
  const after = section.slice(first).findIndex((line) => !line.startsWith('|'));
  const table = section.slice(first, after === -1 ? undefined : first + after);
  assert(!section.slice(first + table.length).some((line) => line.startsWith('|')), `one table under "${heading}"`);
  const [header, rule, ...rows] = table.map(cellsOf);
  const width = present(header, 'a header').length;
  assert(
    rule?.every((cell) => /^:?-+:?$/.test(cell)),
    `a rule below the header under "${heading}"`,
  );
  for (const row of rows) assert(row.length === width, `${width} cells in "${row.join(' | ')}" under "${heading}"`);
  return { header: present(header, 'a header'), rows };
}

/** `\|` is a stroke inside a cell. */
function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').replaceAll('`', '').trim());
}
