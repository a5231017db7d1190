import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['0s', 0],
    ['90s', 90_000],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
  ])('%s is %d milliseconds', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  it.each(['', '90', 's', '-5s', '1.5h', '5 m', '5M', '1h30m', '1w', '9999999999s', ' 5m'])(
    '"%s" is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  it.each([
    [0, '0s'],
    [1_500, '1500ms'],
    [120_000, '2m'],
    [86_400_000, '24h'],
    [172_800_000, '2d'],
    [90_000, '90s'],
  ])('%d milliseconds are written %s', (durationMs, text) => {
    expect(formatDuration(durationMs)).toBe(text);
  });

  it('what is written can be read back without a difference', () => {
    fc.assert(
      fc.property(fc.nat({ max: 999_999_999 }), fc.constantFrom(1, 1_000, 60_000, 86_400_000), (count, unit) => {
        expect(parseDuration(formatDuration(count * unit))).toBe(count * unit);
      }),
    );
  });
});
