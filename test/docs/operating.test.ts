/** What the pages for operators show can be used as it stands. */
import { expect, it } from 'vitest';
import { parseRateFile } from '../../server/src/rates/file-source.ts';
import { settingsFor } from '../http/edge.ts';
import { readDocument } from '../support/markdown.ts';

const OPERATING = readDocument('docs/operating.md');

it('the file of rates is one, and is as old as it may be for as long as it says', () => {
  const [, example = ''] =
    /^## Rates\n[\s\S]*?^```json\n([\s\S]*?)^```$/m.exec(readDocument('docs/operators.md')) ?? [];
  const { base, sample, rates } = parseRateFile('the example', example);
  expect([base, sample, [...rates.keys()]]).toEqual(['USD', false, ['NGN', 'GHS', 'XOF']]);
  expect(settingsFor({}).rates.staleAfterMs).toBe(24 * 3_600_000);
});

it('the service unit starts the file that sets the heap, and gives it time to stop', () => {
  const [, unit = ''] = /^```ini\n([\s\S]*?)^```$/m.exec(OPERATING) ?? [];
  const [firstLine = ''] = readDocument('bin/payferry.js').split('\n', 1);
  const start = JSON.parse(readDocument('package.json')).scripts.start;
  const [, flags = 'none'] = /^node ((?:--\S+ )+)scripts/.exec(start) ?? [];
  expect(firstLine).toBe(`#!/usr/bin/env -S node ${flags.trim()}`);
  expect(unit).toMatch(/^ExecStart=\/\S+\/\.bin\/payferry serve /m);
  expect(OPERATING).toContain(`ExecStart=/path/to/node ${flags}/opt`);
  const [, stopSeconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  const { drainMs, graceMs } = settingsFor({}).shutdown;
  expect(Number(stopSeconds) * 1_000).toBeGreaterThan(drainMs + graceMs);
});

it('a scraper finds the operator listener where it is by default', () => {
  const { host, port } = settingsFor({}).operator;
  expect(readDocument('docs/watching.md')).toContain(`targets: ["${host}:${port}"]`);
});
