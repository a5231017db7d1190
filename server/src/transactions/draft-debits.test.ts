import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { said } from '../../../test/support/create-facts.ts';
import { timeOrderedIds } from '../kernel/ids.ts';
import { draftDebits, MAX_DEBITS } from './draft-debits.ts';

const ids = timeOrderedIds();
const TO_ID = '01900000-0000-7000-8000-00000000000a';
const GOOD = { to_id: TO_ID, to_type: 'Transaction' };
const RUNS = 500;

function wordsOf(written: unknown): string[] {
  const drafted = draftDebits(ids, written);
  return drafted.ok ? [] : said(drafted.refusals);
}

describe('debits that are in order', () => {
  it('one is a list of one, with an id of its own', () => {
    expect(draftDebits(ids, GOOD)).toEqual({
      ok: true,
      input: [GOOD],
      debits: [{ debitId: expect.stringMatching(/^[0-9a-f-]{36}$/), toId: TO_ID, metadata: {} }],
    });
  });

  it('what is repeated as a check is kept as it was written', () => {
    const drafted = draftDebits(ids, { ...GOOD, currency: 'usd', amount: '2000.0', metadata: { a: 1 } });
    expect(drafted).toMatchObject({ debits: [{ currency: 'usd', amount: '2000.0', metadata: { a: 1 } }] });
  });

  it.each([undefined, null, '', '  '])('%j as currency, amount or metadata is no check', (blank) => {
    const written = {
      ...GOOD,
      currency: blank,
      amount: blank,
      metadata: typeof blank === 'string' ? undefined : blank,
    };
    const drafted = draftDebits(ids, written);
    expect(drafted.ok && Object.keys(drafted.debits[0] ?? {})).toEqual(['debitId', 'toId', 'metadata']);
  });

  it('zero is an amount, and not the right one', () => {
    expect(draftDebits(ids, { ...GOOD, amount: 0 })).toMatchObject({ debits: [{ amount: 0 }] });
  });

  it('ids are compared in small letters, in which they are stored', () => {
    const written = { ...GOOD, to_id: TO_ID.toUpperCase() };
    expect(draftDebits(ids, written)).toMatchObject({ input: [written], debits: [{ toId: TO_ID }] });
  });

  it('every debit of a list gets another id', () => {
    const drafted = draftDebits(
      ids,
      Array.from({ length: MAX_DEBITS }, () => GOOD),
    );
    expect(drafted.ok && new Set(drafted.debits.map(({ debitId }) => debitId)).size).toBe(MAX_DEBITS);
  });
});

describe('debits that are refused', () => {
  it.each<[string, unknown, string[]]>([
    ['nothing', undefined, ['debit: blank']],
    ['null', null, ['debit: blank']],
    ['an empty text', ' ', ['debit: blank']],
    ['an empty list', [], ['debit: blank']],
    ['too long a list', Array.from({ length: MAX_DEBITS + 1 }, () => GOOD), ['debit: too_large']],
    ['a number', 7, ['0: invalid']],
    ['null in a list', [GOOD, null], ['1: blank']],
    ['an empty object', {}, ['0.to_id: blank', '0.to_type: blank']],
    ['an id that is a list', { ...GOOD, to_id: [TO_ID] }, ['0.to_id: invalid']],
    ['an id of no form', { ...GOOD, to_id: TO_ID.slice(1) }, ['0.to_id: not_found']],
    ['an id with a prefix', { ...GOOD, to_id: `urn:uuid:${TO_ID}` }, ['0.to_id: not_found']],
    ['another type', { ...GOOD, to_type: 'Recipient' }, ['0.to_type: not_in_list']],
    ['a type that is a list', { ...GOOD, to_type: ['Transaction'] }, ['0.to_type: not_in_list']],
    ['a currency that is an object', { ...GOOD, currency: {} }, ['0.currency: invalid']],
    ['metadata that is a list', { ...GOOD, metadata: ['a'] }, ['0.metadata: invalid']],
    ['metadata that is too large', { ...GOOD, metadata: { a: 'x'.repeat(20_000) } }, ['0.metadata: too_large']],
    [
      'all of these at once, each in its place',
      [{ metadata: 1, currency: 1 }, GOOD, { to_type: 'X', to_id: 'Y' }],
      [
        '0.to_id: blank',
        '0.to_type: blank',
        '0.currency: invalid',
        '0.metadata: invalid',
        '2.to_id: not_found',
        '2.to_type: not_in_list',
      ],
    ],
  ])('%s', (_, written, words) => {
    expect(wordsOf(written)).toEqual(words);
  });

  it('come back as they were sent, as a list, unless they are too many', () => {
    expect(draftDebits(ids, { to_id: 1 }).input).toEqual([{ to_id: 1 }]);
    expect(draftDebits(ids, [7]).input).toEqual([7]);
    expect(
      draftDebits(
        ids,
        Array.from({ length: MAX_DEBITS + 1 }, () => GOOD),
      ).input,
    ).toEqual([]);
  });
});

it('whatever JSON is sent is read without a throw, and passes only with an id of the right form and type', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const debit = fc.oneof(
    json,
    fc.record(
      {
        to_id: fc.oneof(json, fc.uuid()),
        to_type: fc.constantFrom('Transaction', 'Sender'),
        currency: json,
        amount: json,
        metadata: json,
      },
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(fc.oneof(debit, fc.array(debit)), (written) => {
      const drafted = draftDebits(ids, written);
      expect(drafted.ok || drafted.refusals.length > 0).toBe(true);
      for (const { toId } of drafted.ok ? drafted.debits : []) {
        expect(toId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }
    }),
    { numRuns: RUNS },
  );
});
