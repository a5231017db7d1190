import { describe, expect, it } from 'vitest';
import { type CreatedDays, spanOf } from './created-days.ts';

/** Where nothing bounds the list: before and after everything that there can be. */
const [START, END] = ['1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];

describe('the days that a list is narrowed by', () => {
  it.each<[CreatedDays, string, string]>([
    [{}, START, END],
    [{ createdAtFrom: '2026-11-15' }, '2026-11-15T00:00:00.000Z', END],
    [{ createdAtTo: '2026-11-15' }, START, '2026-11-16T00:00:00.000Z'],
    [
      { createdAtFrom: '2026-11-15', createdAtTo: '2026-11-15' },
      '2026-11-15T00:00:00.000Z',
      '2026-11-16T00:00:00.000Z',
    ],
    [{ createdAtTo: '2024-02-28' }, START, '2024-02-29T00:00:00.000Z'],
    [{ createdAtTo: '2026-12-31' }, START, '2027-01-01T00:00:00.000Z'],
  ])('%j: from its first moment to the last of the other', (days, from, before) => {
    const span = spanOf(days);
    expect([span.from.toISOString(), span.before.toISOString()]).toEqual([from, before]);
  });
});
