import { describe, expect, it } from 'vitest';
import { Questions } from './questions.ts';

function askedBy(questions: Questions, provider: string, times: number): number {
  const { mayAsk, keep } = questions.begin();
  const asked = Array.from({ length: times }, () => mayAsk(provider)).filter(Boolean).length;
  keep();
  return asked;
}

describe('the questions to one provider', () => {
  it.each([
    [256, 64],
    [8, 2],
    [4, 1],
    [1, 1],
  ])('of %i calls at once, %i', (calls, most) => {
    const questions = new Questions(calls);
    expect(askedBy(questions, 'first', 1_000)).toBe(most);
    expect(askedBy(questions, 'first', 1)).toBe(0);
    expect(askedBy(questions, 'second', 1_000)).toBe(most);
  });

  it('make room as they end', () => {
    const questions = new Questions(8);
    askedBy(questions, 'first', 2);
    questions.ended('first');
    expect(askedBy(questions, 'first', 2)).toBe(1);
    questions.ended('first');
    questions.ended('first');
    expect(questions.of('first')).toBe(0);
  });

  it('of a claim that failed were never asked', () => {
    const questions = new Questions(4);
    expect(questions.begin().mayAsk('first')).toBe(true);
    expect(askedBy(questions, 'first', 1)).toBe(1);
  });
});
