import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeFileName } from './file-name.ts';
import { MEDIA_TYPES } from './media.ts';

describe('the name of a file', () => {
  it.each([
    ['slip.pdf', 'application/pdf', 'slip.pdf'],
    ['SLIP.PDF', 'application/pdf', 'SLIP.pdf'],
    ['slip', 'application/pdf', 'slip.pdf'],
    ['photo.jpeg', 'image/jpeg', 'photo.jpg'],
    ['page.html', 'application/pdf', 'page.html.pdf'],
    ['../../etc/passwd', 'image/png', 'passwd.png'],
    ['C:\\slips\\slip.png', 'image/png', 'slip.png'],
    ['.hidden', 'image/png', 'hidden.png'],
    ['a\r\nb\u0000.pdf', 'application/pdf', 'ab.pdf'],
    ['fdp\u202egnp.pdf', 'application/pdf', 'fdpgnp.pdf'],
    ['', 'image/gif', 'proof.gif'],
    ['/', 'image/gif', 'proof.gif'],
  ] as const)('%j of %s is saved as %j', (given, type, kept) => {
    expect(safeFileName(given, type, 'proof')).toBe(kept);
  });

  it('is always short, on one line, without a path, and ends as its type does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.constantFrom(...MEDIA_TYPES), (given, type) => {
        const kept = safeFileName(given, type, 'proof');
        expect(kept.length).toBeLessThanOrEqual(255);
        expect(kept).not.toMatch(/[\p{Cc}\p{Cs}\p{Cf}/\\]/u);
        expect(kept).toMatch(/^[^.].*\.[a-z]+$/su);
      }),
    );
  });
});
