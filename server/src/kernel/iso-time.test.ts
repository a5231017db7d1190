import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isoTime } from './iso-time.ts';

it('writes every time as the language does, also one that it has written before', () => {
  fc.assert(
    fc.property(fc.array(fc.date({ noInvalidDate: true }), { minLength: 1, maxLength: 600 }), (times) => {
      for (const time of [...times, ...times]) expect(isoTime(time)).toBe(time.toISOString());
    }),
    { numRuns: 20 },
  );
});
