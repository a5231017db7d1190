import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCatalogue } from './catalogue.ts';
import { checkDetails, checkInDetails, MAX_DETAILS_CHARS } from './check-details.ts';
import { exampleFor } from './example.ts';

const PROPERTY_RUNS = 2_000;

const catalogue = loadCatalogue();
const nigeria = catalogue.mustPayout('NGN::Bank');
const uganda = catalogue.mustPayout('UGX::Mobile');
const euro = catalogue.mustPayout('EUR::Bank');
const example = exampleFor(nigeria, 'person', { optional: true });

describe('checking details', () => {
  it('keeps keys that the corridor does not know, unchecked', () => {
    const details = JSON.parse('{"birth_date": 7, "nested": {"a": [null, true]}, "__proto__": {"x": 1}, "": ""}');
    const { details: kept, refusals } = checkDetails(nigeria, 'person', { ...example, ...details });
    expect(refusals).toEqual([]);
    expect(JSON.parse(JSON.stringify(kept))).toEqual({ ...example, ...details });
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  it('does not change what the caller sent', () => {
    const details = Object.freeze({ ...exampleFor(uganda, 'person'), phone_number: '0772 123400' });
    expect(checkDetails(uganda, 'person', details).details).toMatchObject({ phone_number: '+256772123400' });
    expect(details.phone_number).toBe('0772 123400');
  });

  it.each([
    ['a phone number', uganda, { phone_number: '+256 (772) 123-400' }, { phone_number: '+256772123400' }],
    ['an IBAN', euro, { iban: 'de89 3704 0044 0532 0130 00' }, { iban: 'DE89370400440532013000' }],
    ['an account type that came as a number', nigeria, { bank_account_type: 20 }, { bank_account_type: '20' }],
    ['a bank code that came as a number', nigeria, { bank_code: 214 }, { bank_code: '214' }],
    ['a name as it was sent', nigeria, { first_name: ' Ada ' }, { first_name: ' Ada ' }],
  ])('keeps %s in its one form', (_what, corridor, changes, expected) => {
    const { details, refusals } = checkDetails(corridor, 'person', { ...exampleFor(corridor, 'person'), ...changes });
    expect(refusals).toEqual([]);
    expect(details).toMatchObject(expected);
  });

  it.each([
    ['a number that is no option', { bank_code: 50 }, 'bank_code', 'invalid'],
    ['a number with a fraction', { bank_account_type: 20.5 }, 'bank_account_type', 'invalid'],
    ['a number for a text', { first_name: 7 }, 'first_name', 'invalid'],
    ['a number for an account', { bank_account: 1234567890 }, 'bank_account', 'invalid'],
    ['a truth value', { first_name: true }, 'first_name', 'invalid'],
    ['a list', { bank_account: ['1'] }, 'bank_account', 'invalid'],
    ['an object', { bank_code: { in: '058' } }, 'bank_code', 'invalid'],
    ['an option with a space', { bank_code: '058 ' }, 'bank_code', 'not_in_list'],
    ['a name of an inherited property', { bank_code: 'constructor' }, 'bank_code', 'not_in_list'],
    ['a text beyond the bound', { first_name: 'x'.repeat(256) }, 'first_name', 'too_large'],
    ['a null character', { first_name: 'A\0da' }, 'first_name', 'invalid'],
    ['half of a character', { first_name: 'A\ud800da' }, 'first_name', 'invalid'],
  ])('refuses %s', (_what, changes, field, code) => {
    expect(checkDetails(nigeria, 'person', { ...example, ...changes }).refusals).toEqual([{ code, path: [field] }]);
  });

  it.each(['PP', 'NI', 'ID'])('takes %s as the identity card of whoever fetches cash in Morocco', (type) => {
    const morocco = catalogue.mustPayout('MAD::Cash');
    const details = { ...exampleFor(morocco, 'person'), identity_card_type: type };
    expect(checkDetails(morocco, 'person', details)).toMatchObject({ details, refusals: [] });
    const { refusals } = checkDetails(morocco, 'person', { ...details, identity_card_type: 'XX' });
    expect(refusals).toMatchObject([{ path: ['identity_card_type'] }]);
  });

  it('takes a text up to its bound, and letters of every script', () => {
    const changes = { first_name: 'x'.repeat(255), last_name: 'Ọ̀ṣun 😀 محمد' };
    expect(checkDetails(nigeria, 'person', { ...example, ...changes }).refusals).toEqual([]);
    const narration = (length: number) =>
      checkDetails(euro, 'person', { ...exampleFor(euro, 'person'), narration: 'x'.repeat(length) }).refusals;
    expect(narration(30)).toEqual([]);
    expect(narration(31)).toEqual([{ code: 'too_large', path: ['narration'] }]);
  });

  it.each(['A\u0007b', 'A\u0000b', 'A\ud800b'])('takes no text that cannot be passed on: %j', (text) => {
    const { refusals } = checkDetails(nigeria, 'person', { ...example, first_name: text });
    expect(refusals).toEqual([{ code: 'invalid', path: ['first_name'] }]);
  });

  it('asks for every required field when there are no details', () => {
    for (const nothing of [undefined, null, {}]) {
      expect(checkDetails(nigeria, 'person', nothing).refusals.map(({ code, path }) => [code, ...path])).toEqual(
        ['first_name', 'last_name', 'bank_account', 'bank_code', 'bank_account_type'].map((name) => ['blank', name]),
      );
    }
  });

  it.each([['text'], [7], [true], [[]], [[example]]])('refuses %o in place of details as a whole', (details) => {
    expect(checkDetails(nigeria, 'person', details)).toEqual({
      details: {},
      refusals: [{ code: 'invalid', path: [] }],
    });
  });

  it.each([
    ['a long value', { extra: 'x'.repeat(MAX_DETAILS_CHARS) }],
    ['a long key', { ['x'.repeat(MAX_DETAILS_CHARS)]: 1 }],
    ['many keys', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, 1]))],
    ['many items', { extra: Array.from({ length: 2_000 }, () => 0) }],
    ['deep nesting', { extra: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) }],
  ])('refuses %s that nobody asked for', (_what, extra) => {
    expect(checkDetails(nigeria, 'person', { ...example, ...extra }).refusals).toEqual([
      { code: 'too_large', path: [] },
    ]);
  });

  it('never throws, whatever JSON it is given', () => {
    const names = [
      ...new Set(catalogue.payouts().flatMap((each) => each.rules('person').rules.map(({ name }) => name))),
    ];
    const near = fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.string(), fc.jsonValue(), fc.integer()));
    const corridor = fc.constantFrom(...catalogue.payouts());
    const recipient = fc.constantFrom('person' as const, 'business' as const);
    fc.assert(
      fc.property(corridor, recipient, fc.oneof(near, fc.jsonValue()), (payout, type, details) => {
        const { refusals } = checkDetails(payout, type, details);
        const order = Object.keys(payout.fields(type));
        const places = refusals.map(({ path }) => order.indexOf(String(path[0])));
        expect(places).toEqual(places.toSorted((left, right) => left - right));
        payout.outputStepMinor(typeof details === 'object' && details !== null ? { ...details } : {});
      }),
      { numRuns: PROPERTY_RUNS },
    );
    fc.assert(
      fc.property(fc.constantFrom(...catalogue.payins()), fc.oneof(near, fc.jsonValue()), (payin, details) => {
        checkInDetails(payin, details);
      }),
      { numRuns: PROPERTY_RUNS },
    );
  });
});
