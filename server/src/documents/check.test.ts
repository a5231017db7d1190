import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkUpload } from './check.ts';
import { MAX_DOCUMENT_BYTES } from './document.ts';
import { MEDIA_TYPES } from './media.ts';

const BEGINNINGS: Record<(typeof MEDIA_TYPES)[number], string> = {
  'image/jpeg': '\xff\xd8\xff\xe0',
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/gif': 'GIF89a',
  'image/webp': 'RIFF\x10\x00\x00\x00WEBPVP8 ',
  'image/heic': '\x00\x00\x00\x18ftypheic',
  'image/heif': '\x00\x00\x00\x18ftypmif1',
  'application/pdf': '%PDF-1.7',
};

function uri(type: string, content: Uint8Array | string): string {
  return `data:${type};base64,${Buffer.from(content as string, 'latin1').toString('base64')}`;
}

const PNG = uri('image/png', BEGINNINGS['image/png']);
const refusalsOf = (input: unknown) => {
  const checked = checkUpload(input);
  return checked.ok ? [] : checked.refusals.map(({ code, path }) => `${path.join('.')}: ${code}`);
};

describe('a file in a data URI', () => {
  it.each(MEDIA_TYPES)('is taken when it is declared as %s and begins so', (type) => {
    const checked = checkUpload({ upload: uri(type, BEGINNINGS[type]), upload_file_name: 'passport' });
    expect(checked).toMatchObject({ ok: true, value: { facts: { contentType: type, fileName: 'passport' } } });
  });

  it('keeps its bytes and their number', () => {
    const checked = checkUpload({ upload: PNG, upload_file_name: 'p.png' });
    expect(checked).toMatchObject({ ok: true, value: { facts: { sizeBytes: 8 } } });
    if (checked.ok) expect(Buffer.from(checked.value.content).toString('latin1')).toBe(BEGINNINGS['image/png']);
  });

  it.each([
    ['a common wrong name of its type', PNG.replace('image/png', 'IMAGE/PNG')],
    ['image/jpg, which no registry has', uri('image/jpg', BEGINNINGS['image/jpeg'])],
    ['a parameter', PNG.replace(';base64', ';charset=utf-8;base64')],
    ['the name of the file, escaped', PNG.replace(';base64', ';name=my%20passport(1).png;base64')],
    ['line breaks inside', PNG.replace('iVBOR', 'iVBOR\r\n')],
    ['no padding at its end', PNG.replace(/=+$/, '')],
  ])('is taken with %s', (_, upload) => {
    expect(refusalsOf({ upload, upload_file_name: 'f' })).toEqual([]);
  });

  it.each([
    ['is missing', undefined, 'upload: blank'],
    ['is empty', 'data:image/png;base64,', 'upload: blank'],
    ['is an address: nothing is fetched', 'https://files.example.test/passport.png', 'upload: invalid'],
    ['is no text', 5, 'upload: invalid'],
    ['has a space before its base64', PNG.replace(';base64', '; base64'), 'upload: invalid'],
    ['has no comma', 'data:image/png;base64', 'upload: invalid'],
    ['is not base64', 'data:image/png,plain', 'upload: invalid'],
    ['has characters that are not base64', 'data:image/png;base64,iVBO*w0KGgo=', 'upload: invalid'],
    ['has padding only', 'data:image/png;base64,==', 'upload: invalid'],
    ['has more padding than base64 knows', 'data:image/png;base64,iVBORw0KGg===', 'upload: invalid'],
    ['goes on after its padding', 'data:image/png;base64,iVBORw0KGgo=iVBO', 'upload: invalid'],
    ['has a character too many', 'data:image/png;base64,iVBORw0KGgoAA', 'upload: invalid'],
    ['begins as something else', uri('image/png', BEGINNINGS['application/pdf']), 'upload: invalid'],
    [
      'has one mark of its type and lacks the other',
      uri('image/webp', 'RIFF\x10\x00\x00\x00AVI LIST'),
      'upload: invalid',
    ],
    ['is shorter than the mark of its type', uri('image/png', '\x89PN'), 'upload: invalid'],
    ['is of a type that is not taken', uri('text/html', '<html>'), 'upload: not_in_list'],
    ['is a vector picture, which can carry programs', uri('image/svg+xml', '<svg/>'), 'upload: not_in_list'],
  ])('is refused when it %s', (_, upload, refusal) => {
    expect(refusalsOf({ upload, upload_file_name: 'f' })).toEqual([refusal]);
  });

  it.each([
    ['at the bound is taken', MAX_DOCUMENT_BYTES, []],
    ['one byte above it is refused', MAX_DOCUMENT_BYTES + 1, ['upload: too_large']],
  ])('%s', (_, size, refusals) => {
    const content = Buffer.alloc(size);
    content.write(BEGINNINGS['application/pdf'], 'latin1');
    const upload = `data:application/pdf;base64,${content.toString('base64')}`;
    expect(refusalsOf({ upload, upload_file_name: 'f' })).toEqual(refusals);
  });
});

describe('what is said about a file', () => {
  it('is kept, and has its defaults', () => {
    const said = { document_type: 'passport', document_id: 'X123', expiry_date: '2031-05-01', metadata: { a: 1 } };
    expect(checkUpload({ upload: PNG, upload_file_name: 'f', ...said })).toMatchObject({
      value: {
        facts: { documentType: 'passport', issuedNumber: 'X123', expiryDate: '2031-05-01', metadata: { a: 1 } },
      },
    });
    expect(checkUpload({ upload: PNG, upload_file_name: 'f' })).toMatchObject({
      value: { facts: { documentType: null, issuedNumber: null, expiryDate: null, metadata: {}, source: 'Manual' } },
    });
  });

  it('is refused all at once, in the order of the fields', () => {
    expect(
      refusalsOf({ upload: 'x', upload_file_name: ' ', metadata: ['a'], document_type: 5, expiry_date: '2031-02-30' }),
    ).toEqual([
      'upload: invalid',
      'upload_file_name: blank',
      'metadata: invalid',
      'document_type: invalid',
      'expiry_date: invalid',
    ]);
  });

  it.each([
    [undefined, 'blank'],
    [null, 'blank'],
    ['text', 'invalid'],
    [[], 'invalid'],
    [5, 'invalid'],
  ])('is refused as a whole when the document is %j', (input, code) => {
    expect(refusalsOf(input)).toEqual([`: ${code}`]);
  });

  it('never breaks the program, whatever it is', () => {
    const field = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.constant(PNG));
    const names = ['upload', 'upload_file_name', 'metadata', 'document_type', 'document_id', 'expiry_date', 'source'];
    const document = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...names), field));
    fc.assert(fc.property(document, (input) => typeof checkUpload(input).ok === 'boolean'));
  });
});
