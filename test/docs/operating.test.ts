/** What docs/operating.md shows can be used as it stands. */
import { expect, it } from 'vitest';
import { parseRateFile } from '../../server/src/rates/file-source.ts';
import { settingsFor } from '../http/edge.ts';
import { readDocument } from '../support/markdown.ts';

const DOCUMENT = readDocument('docs/operating.md');

it('the file of rates is one, and is as old as it may be for as long as it says', () => {
  const [, example = ''] = /^## Rates\n[\s\S]*?^```json\n([\s\S]*?)^```$/m.exec(DOCUMENT) ?? [];
  const { base, sample, rates } = parseRateFile('the example', example);
  expect([base, sample, [...rates.keys()]]).toEqual(['USD', false, ['NGN', 'GHS', 'XOF']]);
  expect(settingsFor({}).rates.staleAfterMs).toBe(24 * 3_600_000);
});

it('a scraper finds the operator listener where it is by default', () => {
  const { host, port } = settingsFor({}).operator;
  expect(DOCUMENT).toContain(`targets: ["${host}:${port}"]`);
});
