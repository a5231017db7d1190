import { expect, it } from 'vitest';
import { BrokenInvariant } from '../kernel/assert.ts';
import { OutcomeUnknown, Overloaded } from '../kernel/batch.ts';
import { CommitUnknown, DatabaseUnavailable } from '../kernel/database.ts';
import { problemOfFault } from './problem.ts';

const coded = (code: string, statusCode?: number) =>
  Object.assign(new Error('x'), { code, ...(statusCode !== undefined && { statusCode }) });

it.each([
  ['an unknown outcome', new OutcomeUnknown('x'), 503, 'outcome_unknown'],
  ['an unknown commit', new CommitUnknown('x'), 503, 'outcome_unknown'],
  ['a database that is away', new DatabaseUnavailable('x'), 503, 'unavailable'],
  ['too much work', new Overloaded('x'), 503, 'unavailable'],
  ['a deadlock that came again and again', coded('40P01'), 503, 'unavailable'],
  ['a body that is too large', coded('FST_ERR_CTP_BODY_TOO_LARGE', 413), 413, 'body_too_large'],
  ['a broken invariant', new BrokenInvariant('x'), 500, 'fault'],
  ['a database error', coded('23505'), 500, 'fault'],
] as const)('an operator hears of %s by its status and word', (_, fault, status, error) => {
  expect(problemOfFault(fault)).toMatchObject({ status, error });
});
