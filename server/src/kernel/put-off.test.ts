import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from './assert.ts';
import { MAX_TRIES_ALONE } from './batch.ts';
import { CommitUnknown, DatabaseUnavailable } from './database.ts';
import { isOfTheRow, PUT_OFF_MS, putOffFrom, runAlone } from './put-off.ts';

const refused = (code: string) => Object.assign(new Error('refused'), { code });

describe('a fault', () => {
  it.each([
    ['a broken invariant', new BrokenInvariant('missing: corridor')],
    ['an error of the program', new TypeError('undefined is not a function')],
    ['a value that the database does not take', refused('22003')],
    ['a constraint that does not hold', refused('23514')],
    ['one that is hidden by a later statement', refused('25P02')],
  ])('may lie in the row: %s', (_, fault) => {
    expect(isOfTheRow(fault)).toBe(true);
  });

  it.each([
    ['the database is away', new DatabaseUnavailable('gone')],
    ['nobody knows whether it was committed', new CommitUnknown('silence')],
    ['a deadlock', refused('40P01')],
    ['a serialization failure', refused('40001')],
    ['a statement that took too long', refused('57014')],
    ['a server that only reads', refused('25006')],
    ['a full disk', refused('53100')],
    ['a table that is not there', refused('42P01')],
  ])('does not: %s', (_, fault) => {
    expect(isOfTheRow(fault)).toBe(false);
  });
});

it('what is put off is tried again after five minutes', () => {
  const now = new Date('2026-11-15T12:00:00.000Z');
  expect(putOffFrom(now)).toEqual(new Date('2026-11-15T12:05:00.000Z'));
  expect(PUT_OFF_MS).toBe(5 * 60_000);
});

describe('work on one row', () => {
  const HIDDEN = refused('25P02');
  const DEADLOCK = refused('40P01');

  /** Fails with these in turn, and then ends well. */
  async function run(faults: readonly Error[]): Promise<{ end: unknown; runs: number }> {
    let runs = 0;
    const end = await runAlone(async () => {
      runs += 1;
      const fault = faults[runs - 1];
      if (fault) throw fault;
      return 'done';
    }).catch((fault: unknown) => fault);
    return { end, runs };
  }

  it.each([
    ['ends well: once', [], { end: 'done', runs: 1 }],
    ['fails by a fault that is known: once', [DEADLOCK], { end: DEADLOCK, runs: 1 }],
    ['fails by one that is hidden and goes by: again', [HIDDEN, HIDDEN], { end: 'done', runs: 3 }],
    ['fails by one that is hidden and shows: until then', [HIDDEN, DEADLOCK], { end: DEADLOCK, runs: 2 }],
    ['fails by one that stays hidden: a few times', Array(9).fill(HIDDEN), { end: HIDDEN, runs: MAX_TRIES_ALONE }],
  ])('that %s', async (_, faults, expected) => {
    expect(await run(faults)).toEqual(expected);
  });
});
