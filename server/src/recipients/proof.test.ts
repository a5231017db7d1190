import { describe, expect, it } from 'vitest';
import { checkFile, isPaid, MAX_PROOF_BYTES } from './proof.ts';
import { STATES } from './states.ts';

const PDF = Buffer.from('%PDF-1.4 and so on');
const JPEG = Buffer.from('\xff\xd8\xff\xe0 and so on', 'latin1');
const HEIC = Buffer.from('....ftypheic....', 'latin1');

describe('a proof of payment', () => {
  it.each([
    ['a PDF', { content: PDF, contentType: 'application/pdf' }, 'application/pdf'],
    [
      'a PDF whose type has parameters',
      { content: PDF, contentType: 'application/PDF; charset=binary' },
      'application/pdf',
    ],
    ['a JPEG under its other name', { content: JPEG, contentType: 'image/jpg' }, 'image/jpeg'],
    ['a picture of a telephone, under either name', { content: HEIC, contentType: 'image/heif' }, 'image/heic'],
    ['a file without a type', { content: JPEG }, 'image/jpeg'],
  ])('is taken: %s', (_what, file, contentType) => {
    expect(checkFile({ fileName: 'slip', ...file })).toMatchObject({ contentType, sizeBytes: file.content.length });
  });

  it.each([
    ['empty', { content: Buffer.alloc(0) }],
    ['too_large', { content: Buffer.concat([PDF, Buffer.alloc(MAX_PROOF_BYTES)]) }],
    ['type_unknown', { content: Buffer.from('<html>') }],
    ['type_belied', { content: PDF, contentType: 'image/png' }],
    ['type_belied', { content: PDF, contentType: 'text/html' }],
  ])('is not taken: %s', (fault, file) => {
    expect(checkFile({ fileName: 'slip.pdf', ...file })).toBe(fault);
  });

  it('of exactly the largest size is taken', () => {
    const content = Buffer.concat([PDF, Buffer.alloc(MAX_PROOF_BYTES - PDF.length)]);
    expect(checkFile({ fileName: 'slip.pdf', content })).toMatchObject({ sizeBytes: MAX_PROOF_BYTES });
  });

  it('is there for paid recipients only', () => {
    expect(STATES.map(({ state }) => state).filter(isPaid)).toEqual(['success', 'overpaid']);
  });
});
