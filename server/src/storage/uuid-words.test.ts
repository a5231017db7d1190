import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { putUuidWords } from './uuid-words.ts';

const view = new DataView(new ArrayBuffer(16));

function bytesOf(id: string): string | undefined {
  return putUuidWords(id, view, 0) ? Buffer.from(view.buffer).toString('hex') : undefined;
}

const plain = (id: string) => id.toLowerCase().replaceAll('-', '');

describe('the words of an id', () => {
  it('are its bytes, in large and in small letters, the first time and from memory', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.boolean(), (made, isUpper) => {
        const id = isUpper ? made.toUpperCase() : made;
        expect([bytesOf(id), bytesOf(id), bytesOf(made)]).toEqual([plain(id), plain(id), plain(id)]);
      }),
    );
  });

  it('are never those of another id, however much the two are alike at their end', () => {
    const ids = fc.array(
      fc.uuid().map((id) => `${id.slice(0, -3)}abc`),
      { minLength: 2 },
    );
    fc.assert(
      fc.property(ids, (alike) => {
        for (const id of [...alike, ...alike.toReversed()]) expect(bytesOf(id)).toBe(plain(id));
      }),
    );
  });

  it('are not made of anything else, which is not remembered either', () => {
    const id = '01a1dd35-00df-7280-acc5-78694251ecda';
    const noDigits = ['g', 'ı', '１', '\u0000', '\u0130', '/', ':', '@', '`', '-', '\u0161', '\uff41'];
    for (let at = 0; at < id.length; at += 1) {
      for (const unit of id[at] === '-' ? ['0', '_', '\u012d'] : noDigits) {
        const spoiled = `${id.slice(0, at)}${unit}${id.slice(at + 1)}`;
        expect([spoiled, bytesOf(spoiled), bytesOf(id)]).toEqual([spoiled, undefined, plain(id)]);
      }
    }
    for (const text of ['', id.slice(1), `${id}0`, plain(id)]) expect(bytesOf(text)).toBeUndefined();
  });
});
