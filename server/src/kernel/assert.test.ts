import { describe, expect, it } from 'vitest';
import { assert, BrokenInvariant, present, unreachable } from './assert.ts';

describe('an invariant', () => {
  it('that holds lets the operation go on', () => {
    expect(() => assert(true, 'the books balance')).not.toThrow();
  });

  it.each([false, 0, '', null, undefined])('that is %s stops the operation and says which one it was', (condition) => {
    expect(() => assert(condition, 'the books balance')).toThrow(new BrokenInvariant('the books balance'));
  });
});

describe('a value that must be there', () => {
  it.each([0, '', false, 0n])('is taken as it is, also when it is %s', (value) => {
    expect(present(value, 'value')).toBe(value);
  });

  it.each([null, undefined])('stops the operation when it is %s', (value) => {
    expect(() => present(value, 'first row')).toThrow(new BrokenInvariant('missing: first row'));
  });
});

it('a case that nobody thought of stops the operation', () => {
  // @ts-expect-error: only a value that the types do not know can get there.
  expect(() => unreachable('new state')).toThrow(new BrokenInvariant('unreachable: "new state"'));
});
