/** The rule of docs/account-validation.md, by its own examples and by properties. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDocument, tableUnder } from '../../../test/support/markdown.ts';
import { isSameName, wordsOf } from './match-names.ts';

const examples = tableUnder(readDocument('docs/account-validation.md'), 'When two names are the same');

describe('the examples of the document', () => {
  it('show both sides', () => {
    expect(examples.header).toEqual(['Recipient', 'Holder', 'Same']);
    for (const word of ['yes', 'no'])
      expect(examples.rows.filter(([, , same]) => same === word).length).toBeGreaterThan(9);
  });

  it.each(examples.rows)('%s and %s: %s', (recipient = '', holder = '', same) => {
    expect(isSameName(recipient, holder)).toBe(same === 'yes');
    expect(isSameName(holder, recipient)).toBe(same === 'yes');
  });
});

/** Words of which none begins another one, is its initial, or is put together from others. */
const WORDS = ['adaeze', 'bamidele', 'chukwuma', 'diallo', 'efua', 'fatou', 'gyasi', 'hassan', 'ibrahim', 'kwame'];
const name = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 2, maxLength: 5 });
const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'ê', i: 'ï', o: 'ò', u: 'ü' };

/** The same name as another register might write it. */
const rewritten = name.chain((words) =>
  fc.record({
    words: fc.constant(words),
    order: fc.shuffledSubarray(words, { minLength: words.length }),
    isUpper: fc.boolean(),
    hasAccents: fc.boolean(),
    isHyphenated: fc.boolean(),
    initials: fc.nat(words.length - 2),
    further: fc.subarray(['zainab', 'yusuf'], { maxLength: 2 }),
  }),
);

describe('whatever the names are', () => {
  it('the order of the two does not matter', () => {
    const any = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      name.map((words) => words.join(' ')),
    );
    fc.assert(fc.property(any, any, (one, other) => isSameName(one, other) === isSameName(other, one)));
  });

  it('a name is the same as itself, unless it has no letter in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (one) => {
        const hasWord = wordsOf(one).some((word) => word.length > 1);
        if (hasWord) expect(isSameName(one, one)).toBe(true);
      }),
    );
  });

  it('order, capitals, accents, hyphens, initials and further names change nothing', () => {
    fc.assert(
      fc.property(rewritten, ({ words, order, isUpper, hasAccents, isHyphenated, initials, further }) => {
        const short = order.map((word, place) => (place < initials ? word.charAt(0) : word));
        const text = [...short, ...further].join(isHyphenated ? '-' : ' ');
        const accented = hasAccents ? text.replace(/[aeiou]/g, (letter) => ACCENTED[letter] ?? letter) : text;
        expect(isSameName(words.join(' '), isUpper ? accented.toUpperCase() : accented)).toBe(true);
      }),
    );
  });

  it('written as one word, two or three words are the same', () => {
    fc.assert(
      fc.property(name, fc.integer({ min: 2, max: 3 }), (words, count) => {
        const joined = [words.slice(0, count).join(''), ...words.slice(count)].join(' ');
        expect(isSameName(words.join(' '), joined)).toBe(true);
      }),
    );
  });

  it('names that each have a word of their own are never the same', () => {
    fc.assert(
      fc.property(name, name, (one, other) => {
        const hasOwn = (a: readonly string[], b: readonly string[]) => a.some((word) => !b.includes(word));
        if (hasOwn(one, other) && hasOwn(other, one)) {
          expect(isSameName(one.join(' '), other.join(' '))).toBe(false);
        }
      }),
    );
  });

  it('long names are compared all the same', () => {
    const long = [...WORDS].join(' ');
    expect(isSameName(long, [...WORDS].toReversed().join(' ').toUpperCase())).toBe(true);
    expect(isSameName(long, `${long} zainab`)).toBe(false);
    const same = Array.from({ length: 8 }, () => 'a').join(' ');
    expect(isSameName(same, `${same} ab`)).toBe(false);
  });
});
