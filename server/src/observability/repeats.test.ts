import { describe, expect, it } from 'vitest';
import { Repeats, TOLD_EVERY_MS } from './repeats.ts';

const TOLD = 1_000;

function world() {
  let nowMs = 0;
  return { repeats: new Repeats(() => nowMs), pass: (ms: number) => (nowMs += ms) };
}

describe('what happens again', () => {
  it('is told at once, and then once a minute with how often it happened in between', () => {
    const { repeats, pass } = world();
    expect([repeats.note('a'), repeats.note('a'), repeats.note('a')]).toEqual([{}, undefined, undefined]);
    pass(TOLD_EVERY_MS - 1);
    expect(repeats.note('a')).toBeUndefined();
    pass(1);
    expect([repeats.note('a'), repeats.note('a')]).toEqual([{ not_told_since: 3 }, undefined]);
  });

  it('is told of by itself for each kind', () => {
    const { repeats } = world();
    expect([repeats.note('a'), repeats.note('b'), repeats.note('a')]).toEqual([{}, {}, undefined]);
  });
});

describe('kinds without end', () => {
  const noteMany = (repeats: Repeats, name: string, many: number) =>
    Array.from({ length: many }, (_, index) => repeats.note(`${name} ${index}`)).filter(
      (untold) => untold !== undefined,
    );

  it('are told of in a bounded number of lines a minute', () => {
    const { repeats, pass } = world();
    expect(noteMany(repeats, 'made up', 3 * TOLD)).toHaveLength(TOLD + 1);
    pass(TOLD_EVERY_MS);
    const next = noteMany(repeats, 'made up again', 3 * TOLD);
    expect(next.length).toBeLessThanOrEqual(TOLD + 1);
  });

  it('leave room for others a minute later', () => {
    const { repeats, pass } = world();
    noteMany(repeats, 'made up', 3 * TOLD);
    expect(repeats.note('another')).toBeUndefined();
    pass(TOLD_EVERY_MS);
    expect([repeats.note('another'), repeats.note('another')]).toEqual([{}, undefined]);
  });
});
