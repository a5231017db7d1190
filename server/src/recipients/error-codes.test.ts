import { describe, expect, it } from 'vitest';
import { CODE_CLASSES, isRetriable, recipientCategory } from './error-codes.ts';

describe('the category of a recipient code', () => {
  it.each([
    ['0', 'paid'],
    ['1', 'unknown'],
    ['14', 'unknown'],
    ['21', 'pickupable'],
    ['3', 'temporary_error'],
    ['331', 'temporary_error'],
    ['4', 'recipient_error'],
    ['416', 'recipient_error'],
    ['5', 'sender_error'],
    ['511', 'sender_error'],
    ['542', 'sender_error'],
    ['541', 'recipient_error'],
    ['543', 'recipient_error'],
  ])('%s is %s', (code, category) => {
    expect(recipientCategory(code)).toBe(category);
  });

  it.each(['', '6', '99', '00', '01', '5411', '-1', '3x', ' 3', '3\n'])('there is none for %j', (code) => {
    expect(recipientCategory(code)).toBeUndefined();
  });

  it('tells that only a temporary error may pass by itself', () => {
    expect(CODE_CLASSES.filter((row) => isRetriable(row.category)).map((row) => row.class)).toEqual(['3xx']);
  });
});
