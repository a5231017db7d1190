import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfPdf } from '../../../test/support/pdf-text.ts';
import { readPng } from '../../../test/support/png.ts';
import { Bitmap, WHITE } from './bitmap.ts';
import { inCapitals, inLatin, NOT_LATIN } from './latin.ts';
import { filePicture, receiptPicture } from './page-picture.ts';
import { receiptPdf } from './pdf.ts';
import { dotsOf } from './pixel-font.ts';
import { type Receipt, receiptIdOf } from './receipt.ts';

const RECEIPT: Receipt = {
  receiptId: '00000000-0000-8000-8000-000000000001',
  title: 'Receipt of a payment',
  amount: '150000.00 NGN',
  rows: [
    { label: 'Recipient', value: 'José Đặng' },
    { label: 'External id', value: 'order 7' },
  ],
  notes: ['Made from the stored record.'],
  at: new Date('2026-11-15T12:00:00.000Z'),
};

describe('names on a receipt', () => {
  it.each([
    ['Ada Example', 'Ada Example'],
    ['José Núñez', 'José Núñez'],
    ['Nguyễn Đức Ánh', 'Nguyen Ðuc Ánh'.replace('Ð', 'D')],
    ['Jose\u0301', 'José'],
    ['O’Brien – Łukasz', "O'Brien - Lukasz"],
    ['Ɔkɔ Ŋmaa', 'Oko NGmaa'],
    ['two\nlines\tand\u00a0spaces', 'two lines and spaces'],
    ['محمد', NOT_LATIN],
    ['王 Ada', NOT_LATIN],
    ['', ''],
  ])('%j is written %j', (name, written) => {
    expect(inLatin(name)).toBe(written);
  });

  it('are always letters that the fonts have, whatever came in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(inLatin(name)).toMatch(/^[\x20-\x7e\xa1-\xff]*$/);
        expect(inCapitals(name)).not.toMatch(/[a-z]/);
      }),
    );
  });
});

describe('the PDF', () => {
  it('holds every word of the receipt', async () => {
    const text = textOfPdf(await receiptPdf(RECEIPT));
    expect(text).toEqual([
      'Receipt of a payment',
      '150000.00 NGN',
      'Recipient',
      'José Dang',
      'External id',
      'order 7',
      'Made from the stored record.',
    ]);
  });

  it('is the same to the last byte each time, and another one for another receipt', async () => {
    const first = await receiptPdf(RECEIPT);
    expect((await receiptPdf(RECEIPT)).equals(first)).toBe(true);
    expect((await receiptPdf({ ...RECEIPT, at: new Date('2026-11-15T12:00:01.000Z') })).equals(first)).toBe(false);
    expect((await receiptPdf({ ...RECEIPT, amount: '1.00 NGN' })).equals(first)).toBe(false);
  });

  it('goes on with a second page where the words need one, and loses none', async () => {
    const rows = Array.from({ length: 60 }, (_, place) => ({ label: `Row ${place}`, value: `value ${place}` }));
    const pdf = await receiptPdf({ ...RECEIPT, rows });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(1);
    expect(textOfPdf(pdf)).toEqual(expect.arrayContaining(rows.flatMap(({ label, value }) => [label, value])));
  });
});

describe('pictures', () => {
  it('of a receipt show its words: other words, another picture', () => {
    const picture = receiptPicture(RECEIPT);
    const { width, height, dots } = readPng(picture);
    expect([width, height]).toEqual([300, 424]);
    expect(dots.some((dot) => dot < WHITE)).toBe(true);
    expect(receiptPicture(RECEIPT).equals(picture)).toBe(true);
    expect(receiptPicture({ ...RECEIPT, amount: '150000.01 NGN' }).equals(picture)).toBe(false);
  });

  it('of a file tell its kind, name and size', () => {
    const file = { contentType: 'application/pdf', fileName: 'slip.pdf', sizeBytes: 5_000 };
    const picture = filePicture(file);
    expect(readPng(picture)).toMatchObject({ width: 300, height: 424 });
    for (const change of [{ contentType: 'image/heic' }, { fileName: 'slap.pdf' }, { sizeBytes: 50_000 }]) {
      expect(filePicture({ ...file, ...change }).equals(picture)).toBe(false);
    }
  });

  it('can be drawn of any words, and nothing is drawn outside of them', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(text, text, fc.nat(), (fileName, contentType, sizeBytes) => {
        readPng(filePicture({ fileName, contentType, sizeBytes }));
      }),
      { numRuns: 20 },
    );
  });

  it('a letter is drawn where it belongs', () => {
    const page = new Bitmap(8, 8);
    page.write({ x: 1, y: 1, shade: 0 }, 'I', 1);
    const { dots } = readPng(page.toPng());
    const drawn = [...dots].flatMap((dot, at) => (dot === 0 ? [[(at % 8) - 1, Math.floor(at / 8) - 1]] : []));
    expect(drawn).toEqual(dotsOf('I').map((dot) => [...dot]));
    expect(drawn).toHaveLength(9);
  });
});

describe('the id of a receipt', () => {
  const key = {
    accountId: '01900000-0000-7000-8000-000000000001',
    recipientId: '01900000-0000-7000-8000-000000000002',
  };

  it('is a UUID that follows from its recipient', () => {
    expect(receiptIdOf(key)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(receiptIdOf({ ...key })).toBe(receiptIdOf(key));
    expect(receiptIdOf({ ...key, recipientId: key.accountId })).not.toBe(receiptIdOf(key));
    expect(receiptIdOf({ ...key, accountId: key.recipientId })).not.toBe(receiptIdOf(key));
  });
});
