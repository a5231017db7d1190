import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptIdOf, readReference, referenceOf } from './attempt.ts';

const recipientIds = fc.uuid({ version: 7 });
const numbers = fc.integer({ min: 1, max: 1_000_000 });

describe('the id of an attempt', () => {
  it('is the same for the same recipient, or payin method, and number, and for no other', () => {
    fc.assert(
      fc.property(recipientIds, recipientIds, numbers, numbers, (one, other, first, second) => {
        expect(attemptIdOf(one, first)).toBe(attemptIdOf(one, first));
        const isSame = one === other && first === second;
        expect(attemptIdOf(one, first) === attemptIdOf(other, second)).toBe(isSame);
      }),
    );
  });

  it('is a UUID of version 8 that begins as that of its recipient, and comes back out of its reference', () => {
    fc.assert(
      fc.property(recipientIds, fc.uuid(), numbers, (recipientId, accountId, number) => {
        const attemptId = attemptIdOf(recipientId, number);
        expect(attemptId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(attemptId.slice(0, 13)).toBe(recipientId.slice(0, 13));
        expect(readReference(referenceOf({ accountId, attemptId }))).toEqual({ accountId, attemptId });
      }),
    );
  });

  it('stays what it is from version to version: providers know it', () => {
    expect(attemptIdOf('01a1e94b-0000-7000-8000-000000000001', 1)).toBe('01a1e94b-0000-8000-986b-098604f2751d');
  });
});
