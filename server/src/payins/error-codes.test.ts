import { describe, expect, it } from 'vitest';
import { collectionCategory } from './error-codes.ts';

describe('the category of a collection code', () => {
  it.each([
    ['0', 'paid'],
    ['1', 'pending'],
    ['14', 'pending'],
    ['23', 'sender_action_required'],
    ['3', 'temporary_error'],
    ['31', 'temporary_error'],
    ['412', 'user_invalid_data_error'],
    ['5', 'sender_error'],
    ['511', 'sender_error'],
    ['541', 'user_invalid_data_error'],
    ['543', 'user_invalid_data_error'],
  ])('%s is %s', (code, category) => {
    expect(collectionCategory(code)).toBe(category);
  });

  it.each(['', '6', '00', '4123', 'x', '3\n'])('there is none for %j', (code) => {
    expect(collectionCategory(code)).toBeUndefined();
  });
});
