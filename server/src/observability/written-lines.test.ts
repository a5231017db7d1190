import { closeSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WrittenLines } from './written-lines.ts';

/** Linux has it. */
const FULL = '/dev/full';

function openOn(path: string) {
  const fd = openSync(path, 'a');
  onTestFinished(() => closeSync(fd));
  return new WrittenLines(fd);
}

const newPath = () => join(mkdtempSync(join(tmpdir(), 'payferry-lines-')), 'log');

it('all lines arrive, in their order, whether somebody flushes or not', async () => {
  const path = newPath();
  const lines = openOn(path);
  const sent = Array.from({ length: 500 }, (_, number) => `${number} é\n`);
  for (const line of sent) lines.write(line);
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(sent.join('')));
  lines.write('last\n');
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe(`${sent.join('')}last\n`));
});

it('of what a slow reader would have to take, no more waits in memory than its bound', async () => {
  const path = newPath();
  const lines = openOn(path);
  const some = `${'x'.repeat(10 * 1_024 * 1_024)}\n`;
  for (let written = 0; written < 4; written += 1) lines.write(some);
  // The first is on its way, and one waits.
  await vi.waitFor(() => expect(readFileSync(path).length).toBe(2 * some.length));
  lines.write('last\n');
  await vi.waitFor(() => expect(readFileSync(path).length).toBe(2 * some.length + 5));
});

it('what waits is there when the process ends', async () => {
  const path = newPath();
  const lines = openOn(path);
  lines.write('first\n');
  await vi.waitFor(() => expect(readFileSync(path, 'utf8')).toBe('first\n'));
  lines.write('on its way\n');
  lines.write('waits\n');
  lines.flush();
  await vi.waitFor(() => expect(readFileSync(path, 'utf8').split('\n').toSorted()).toHaveLength(4));
});

it.runIf(existsSync(FULL))('a full disk loses lines, throws nothing, and holds up no end', async () => {
  const lines = openOn(FULL);
  lines.write('lost\n');
  await new Promise((resolve) => setTimeout(resolve, 50));
  lines.write('lost too\n');
  lines.write('and this\n');
  lines.flush();
  await new Promise((resolve) => setTimeout(resolve, 50));
});
