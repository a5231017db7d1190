import { beforeEach, describe, expect, it, vi } from 'vitest';
import { GatheredLines, WRITE_AFTER_MS, WRITE_AT_CHARS } from './gathered-lines.ts';

const written: string[] = [];
const lines = new GatheredLines((text) => written.push(text));

beforeEach(() => {
  vi.useFakeTimers();
  lines.flush();
  written.length = 0;
  return () => vi.useRealTimers();
});

describe('lines of the log', () => {
  it('are written together, after a tenth of a second', () => {
    lines.write('one\n');
    vi.advanceTimersByTime(WRITE_AFTER_MS - 1);
    lines.write('two\n');
    expect(written).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(written).toEqual(['one\ntwo\n']);
  });

  it('are written at once when there are many of them', () => {
    const half = `${'x'.repeat(WRITE_AT_CHARS / 2 - 1)}\n`;
    lines.write(half);
    expect(written).toEqual([]);
    lines.write(half);
    expect(written).toEqual([half + half]);
    vi.advanceTimersByTime(2 * WRITE_AFTER_MS);
    expect(written).toHaveLength(1);
  });

  it('are written at once when the program ends, and no line twice', () => {
    lines.write('last words\n');
    lines.flush();
    lines.flush();
    vi.advanceTimersByTime(2 * WRITE_AFTER_MS);
    expect(written).toEqual(['last words\n']);
  });
});
