import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Passing } from './passing.ts';

describe('what is under way for a moment', () => {
  it('holds what was added until it leaves, whoever leaves first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }), (steps) => {
        const passing = new Passing<number>();
        const inside = new Map<number, () => void>();
        for (const step of steps) {
          const leave = inside.get(step);
          leave?.();
          if (leave === undefined) inside.set(step, passing.add(step));
          else inside.delete(step);
          expect(passing.members().sort()).toEqual([...inside.keys()].sort());
          expect(passing.size).toBe(inside.size);
        }
      }),
    );
  });

  it('does not let anybody leave twice', () => {
    const passing = new Passing<string>();
    const leave = passing.add('request');
    leave();
    expect(leave).toThrow('who leaves is there');
  });
});
