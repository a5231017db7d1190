import { describe, expect, it } from 'vitest';
import { tableUnder } from './markdown.ts';

const TABLE = '| Name | Value |\n|---|---|\n| `a` | 1 |\n| b \\| c | |';

describe('the reader of tables in documents', () => {
  it('reads the cells of the table under a heading', () => {
    expect(tableUnder(`# Top\n\n## One\n\nText.\n\n${TABLE}\n\nMore.\n\n## Two`, 'One')).toEqual({
      header: ['Name', 'Value'],
      rows: [
        ['a', '1'],
        ['b | c', ''],
      ],
    });
  });

  it.each([
    ['no such heading', `## Two\n\n${TABLE}`],
    ['the heading twice', `## One\n\n${TABLE}\n\n### One\n\n${TABLE}`],
    ['no table under the heading', `## One\n\n## Two\n\n${TABLE}`],
    ['two tables under the heading', `## One\n\n${TABLE}\n\n${TABLE}`],
    ['a row with a cell too few', `## One\n\n${TABLE}\n| c |`],
    ['a row with a cell too many', `## One\n\n${TABLE}\n| c | 2 | 3 |`],
    ['no rule below the header', '## One\n\n| Name |\n| a |'],
  ])('complains of %s', (_, markdown) => {
    expect(() => tableUnder(markdown, 'One')).toThrow();
  });
});
