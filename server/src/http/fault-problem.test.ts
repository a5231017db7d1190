import { describe, expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { OutcomeUnknown, Overloaded } from '../kernel/batch.ts';
import { CommitUnknown, DatabaseUnavailable } from '../kernel/database.ts';
import { faultProblem } from './fault-problem.ts';
import { PROBLEMS } from './problem.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code, statusCode: 400 });

describe('a fault', () => {
  it.each([
    ['an unknown outcome', new OutcomeUnknown('x'), 503],
    ['an unknown commit', new CommitUnknown('x'), 503],
    ['a database that is away', new DatabaseUnavailable('x'), 503],
    ['too much work', new Overloaded('x'), 503],
    ['a deadlock that came again and again', coded('40P01'), 503],
    ['a body that is too large', coded('FST_ERR_CTP_BODY_TOO_LARGE'), 413],
    ['a content type that is none', coded('FST_ERR_CTP_INVALID_MEDIA_TYPE'), 415],
    ['a wrong content length', coded('FST_ERR_CTP_INVALID_CONTENT_LENGTH'), 400],
    ['an address that cannot be read', coded('FST_ERR_BAD_URL'), 400],
    ['a broken invariant', new BrokenInvariant('x'), 500],
    ['a database error', coded('23505'), 500],
    ['an error that names a status itself', coded('ANYTHING'), 500],
    ['something that is no error', 'x', 500],
    ['nothing', undefined, 500],
  ])('that is %s is answered with its status', (_, fault, status) => {
    expect(PROBLEMS[faultProblem(fault)].status).toBe(status);
  });

  it('is never answered as a refusal', () => {
    expect(Object.values(PROBLEMS).filter((problem) => Number(problem.status) === 422)).toEqual([]);
  });
});
