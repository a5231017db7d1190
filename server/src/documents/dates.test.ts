import { describe, expect, it } from 'vitest';
import { readDay, readMoment } from './dates.ts';

describe('a day', () => {
  it.each([
    ['a plain day', '1974-12-24', '1974-12-24'],
    ['the 29th of February of a leap year', '2024-02-29', '2024-02-29'],
    ['midnight in UTC, as client libraries send days', '1974-12-24T00:00:00.000Z', '1974-12-24'],
    ['midnight in UTC with an offset of zero', '1974-12-24T00:00:00+00:00', '1974-12-24'],
    ['midnight without a zone', '1974-12-24T00:00:00', '1974-12-24'],
    ['midnight without a zone, to the last digit', '1974-12-24T00:00:00.0000000', '1974-12-24'],
  ])('is read from %s', (_, text, day) => {
    expect(readDay(text)).toBe(day);
  });

  it.each([
    ['a day that does not exist', '1974-06-31'],
    ['the 29th of February of another year', '2023-02-29'],
    ['a month that does not exist', '1974-13-01'],
    ['the year zero', '0000-01-01'],
    ['a time of day, which could be two days', '1974-12-24T22:30:00Z'],
    ['a time of day without a zone', '1974-12-24T22:30:00'],
    ['midnight in another zone', '1974-12-24T00:00:00+02:00'],
    ['days written the other way round', '24-12-1974'],
    ['words', 'yesterday'],
    ['an empty text', ''],
    ['a number', 19741224],
    ['nothing', null],
    ['a text that goes on and on', `1974-12-24T00:00:00.${'0'.repeat(100_000)}Z`],
  ])('is not read from %s', (_, value) => {
    expect(readDay(value)).toBeUndefined();
  });
});

describe('a moment', () => {
  it.each([
    ['1981-01-20', '1981-01-20T00:00:00.000Z'],
    ['1981-01-20T00:00:00.000Z', '1981-01-20T00:00:00.000Z'],
    ['1981-01-20T13:45Z', '1981-01-20T13:45:00.000Z'],
    ['1981-01-20T13:45:00+01:00', '1981-01-20T12:45:00.000Z'],
    ['1981-01-20T22:45:00.5-0330', '1981-01-21T02:15:00.500Z'],
    ['1981-01-20T13:45:00.1234567', '1981-01-20T13:45:00.123Z'],
    ['1981-01-20T00:00:00', '1981-01-20T00:00:00.000Z'],
  ])('is read from %s', (text, read) => {
    expect(readMoment(text)).toBe(read);
  });

  it.each([
    '1981-02-30',
    '1981-02-30T10:00:00',
    '1981-01-20T25:00:00Z',
    '1981-01-20T10:00:00+15:00',
    '1981-01-20 13:45',
    '0001-01-01T00:30:00+14:00',
    '9999-12-31T23:30:00-14:00',
    'T',
    5,
    undefined,
  ])('is not read from %s', (value) => {
    expect(readMoment(value)).toBeUndefined();
  });
});
