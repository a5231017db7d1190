import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlacedAt, referTo, type SenderReference } from './reference.ts';

const ID = 'b6648ba3-1c7b-4f59-8580-684899c84a07';
const byId = (effect: 'use_by_id' | 'update_by_id'): SenderReference => ({ effect, senderId: ID });
const byExternalId = (effect: 'use_by_external_id' | 'update_or_create' | 'create'): SenderReference => ({
  effect,
  externalId: 'c-1',
});
const BOTH: SenderReference = {
  effect: 'refuse',
  refusals: [
    { code: 'invalid', path: ['id'] },
    { code: 'invalid', path: ['external_id'] },
  ],
};
const refusing = (code: string, ...path: string[]) => ({ effect: 'refuse', refusals: [{ code, path }] });

describe('the six rules', () => {
  it.each<[string, object, SenderReference, SenderReference]>([
    ['1: id alone', { id: ID }, byId('use_by_id'), byId('use_by_id')],
    ['2: id and other fields', { id: ID, city: 'Lagos' }, byId('update_by_id'), byId('update_by_id')],
    [
      '3: external_id alone',
      { external_id: 'c-1' },
      byExternalId('use_by_external_id'),
      byExternalId('use_by_external_id'),
    ],
    [
      '4 and 5: external_id and other fields',
      { external_id: 'c-1', city: 'Lagos' },
      byExternalId('create'),
      byExternalId('update_or_create'),
    ],
    ['6: both ids', { id: ID, external_id: 'c-1' }, BOTH, BOTH],
    ['6: both ids and other fields', { id: ID, external_id: 'c-1', city: 'Lagos' }, BOTH, BOTH],
    ['neither id', { city: 'Lagos' }, { effect: 'create', externalId: null }, { effect: 'create', externalId: null }],
  ])('%s', (_, input, alone, inTransaction) => {
    expect(referTo(input, { place: 'senders' })).toEqual(alone);
    expect(referTo(input, { place: 'transaction' })).toEqual(inTransaction);
  });

  it('the id in a path names the sender, whatever the body says', () => {
    for (const input of [{}, { city: 'Lagos' }, { id: 'other' }, { external_id: 'c-1' }, null]) {
      expect(referTo(input, { place: 'path', senderId: ID })).toMatchObject(byId('update_by_id'));
    }
  });
});

describe('other fields', () => {
  it.each<[string, object]>([
    ['fields that only the service gives', { state: 'approved', created_at: 'x', errors: {}, providers: {} }],
    ['fields that are null', { first_name: null, external_id: null }],
    ['unknown fields', { favourite_colour: 'red' }],
    ['an empty external_id', { external_id: '' }],
  ])('are not %s', (_, fields) => {
    expect(referTo({ id: ID, ...fields }, { place: 'transaction' })).toEqual(byId('use_by_id'));
  });

  it.each<[string, object]>([
    ['an empty list of documents', { documents: [] }],
    ['empty metadata', { metadata: {} }],
    ['a field that is to be emptied', { address_description: '' }],
    ['the type', { type: 'person' }],
  ])('are also %s', (_, fields) => {
    expect(referTo({ id: ID, ...fields }, { place: 'transaction' })).toEqual(byId('update_by_id'));
  });
});

describe('what cannot be a reference', () => {
  it.each([
    ['no sender', undefined, refusing('blank')],
    ['a text', 'c-1', refusing('invalid')],
    ['a list', [], refusing('invalid')],
    ['an id that is no text', { id: 5 }, refusing('invalid', 'id')],
    ['an id that is none of ours', { id: 'c-1' }, refusing('not_found', 'id')],
    ['an external_id that is no text', { external_id: 5 }, refusing('invalid', 'external_id')],
    ['an external_id that is too long', { external_id: 'x'.repeat(256) }, refusing('too_large', 'external_id')],
    ['an external_id that cannot be stored', { external_id: 'a\u0000' }, refusing('invalid', 'external_id')],
  ])('%s is refused', (_, input, reference) => {
    expect(referTo(input, { place: 'senders' })).toEqual(reference);
  });

  it('a bad external_id beside other fields is left to the check of the whole sender', () => {
    const input = { external_id: 5, city: 'Lagos' };
    expect(referTo(input, { place: 'transaction' })).toEqual({ effect: 'create', externalId: null });
  });

  it('nothing breaks the program', () => {
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(ID, 'c-1'));
    const input = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom('id', 'external_id', 'city'), field));
    const at = fc.constantFrom<PlacedAt>({ place: 'senders' }, { place: 'transaction' });
    fc.assert(fc.property(input, at, (sender, placed) => typeof referTo(sender, placed).effect === 'string'));
  });
});
