import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_CHARS } from './api-log.ts';
import { keepAnswerBody, keepAnswerHeaders, keepRequestBody, keepRequestHeaders } from './mask.ts';

const FILE = `data:image/png;base64,${'QUJD'.repeat(20)}`;
const ONE_SLOW_EXPRESSION = /data:[^,"]{0,200};base64,[^"]*/gi;
const kept = (text: string, read?: unknown) => keepRequestBody(Buffer.from(text), read);

/** Nobody is compared with less: short times depend on what was compiled by then. */
const LEAST_MICROS = 5_000;

/** The least of some tries, in microseconds of processor. */
function workOn(piece: string): number {
  const body = { external_id: `${piece.repeat(2_000_000 / piece.length)} base64` };
  const bytes = Buffer.from(JSON.stringify(body));
  const tries = Array.from({ length: 5 }, () => {
    const before = process.cpuUsage();
    keepRequestBody(bytes, body);
    return process.cpuUsage(before).user;
  });
  return Math.max(LEAST_MICROS, Math.min(...tries));
}

describe('the body of a request', () => {
  it('is kept to the letter when it is short and holds no file', () => {
    const text = '{ "a" :1.0, "b": "data: one, two"}';
    expect(kept(text, JSON.parse(text))).toBe(text);
  });

  it.each([
    ['as a file of a sender', { sender: { documents: [{ upload: FILE }, { upload: FILE }] } }],
    ['under another name', { document: { file: FILE } }],
    ['inside of a text', { note: `see ${FILE}` }],
    ['in capitals', { file: FILE.replace('data', 'DATA') }],
  ])('loses a file that comes %s', (_, body) => {
    const text = kept(JSON.stringify(body), body);
    expect(text).not.toContain('QUJD');
    expect(text).toContain('characters left out]');
  });

  it('loses a file that is hidden by escapes', () => {
    const text = `{"file":"\\u0064ata:image/png;base6\\u0034,QUJD"}`;
    expect(kept(text, JSON.parse(text))).toBe('{"file":"[26 characters left out]"}');
  });

  it.each([
    ['by its form', `{"file": "${FILE}`],
    ['by its name', '{"upload" : "QUJDQUJD'],
    ['by its form, beyond the cut', `{"file": "${FILE}${'QUJD'.repeat(MAX_BODY_CHARS)}`],
  ])('loses a file also when it is not JSON: %s', (_, text) => {
    expect(kept(text)).not.toContain('QUJD');
  });

  it('loses what one slow expression would find, in texts made of the pieces of files', () => {
    const pieces = [
      'data:',
      'DATA:',
      ';base64,',
      ';Base64,',
      'base64',
      ',',
      ';',
      '"',
      'image/png',
      'x'.repeat(98),
      '\u0130',
    ];
    const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(kept(JSON.stringify([text, ';base64,']), [text, ';base64,'])).toBe(
          JSON.stringify([
            text.replace(ONE_SLOW_EXPRESSION, (file) => `[${file.length} characters left out]`),
            ';base64,',
          ]),
        );
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['many beginnings of files', 'data:'],
    ['many ends of their headers', ';base64,'],
    ['many headers that are too long', `data:${'x'.repeat(201)};base64,`],
  ])('of megabytes made of %s is not much more work than any other of that length', (_, piece) => {
    // Work of this process, not time on a clock: one expression for the whole does a hundred times as much.
    expect(workOn(piece)).toBeLessThan(25 * workOn('x'));
  });

  it('loses a file to its end, also where it has quotes in it', () => {
    const body = { object: { upload: 'QUJD"QUJD\\"QUJD', name: 'a"b' } };
    const kept = { object: { ...body.object, upload: '[masked]' } };
    expect(keepAnswerBody(JSON.stringify(body))).toBe(JSON.stringify(kept));
  });

  it('is cut after its bound and not before', () => {
    const longest = JSON.stringify('x'.repeat(MAX_BODY_CHARS - 2));
    expect(kept(longest, JSON.parse(longest))).toBe(longest);
    expect(kept(`${longest} `)).toBe(`${longest} [cut: ${MAX_BODY_CHARS + 1} bytes in all]`);
    const longer = 'x'.repeat(MAX_BODY_CHARS - 1);
    expect(kept(JSON.stringify(longer), longer)).toBe(
      `"${'x'.repeat(MAX_BODY_CHARS - 1)} [cut: ${MAX_BODY_CHARS + 1} characters in all]`,
    );
  });

  it('that is not text is left out, and what the database cannot hold is replaced', () => {
    expect(keepRequestBody(Buffer.from([0x61, 0x00, 0xff]), undefined)).toBe('[3 bytes left out]');
    expect(keepRequestBody(Buffer.from([0x61, 0x00]), undefined)).toBe('a\ufffd');
    expect(keepRequestBody(null, undefined)).toBe('');
  });
});

describe('the body of an answer', () => {
  it('loses a file of a refused request that it shows again', () => {
    expect(keepAnswerBody(JSON.stringify({ object: { upload: FILE } }))).not.toContain('QUJD');
  });

  it('loses a file also where its form does not show one', () => {
    const body = { object: { upload: 'QUJDQUJD' }, errors: { upload: ['is_invalid'] } };
    expect(keepAnswerBody(JSON.stringify(body))).toBe(JSON.stringify({ ...body, object: { upload: '[masked]' } }));
    const files = ['QUJD'.repeat(20), 'QUJD'];
    expect(keepAnswerBody(JSON.stringify({ ...body, object: { upload: files } }))).not.toContain('QUJD');
  });

  it.each([
    ['by its form', '"file":"data:image/png;base64,'],
    ['by its name', '"upload" : "'],
  ])('loses a file that lies anywhere about the cut, known %s', (_, lead) => {
    const file = `${lead}${'QUJD'.repeat(20_000)}"`;
    for (let place = MAX_BODY_CHARS - 60; place <= MAX_BODY_CHARS + 60; place += 1) {
      const text = `${'x'.repeat(place)}${file}${'y'.repeat(MAX_BODY_CHARS)}`;
      const body = keepAnswerBody(text);
      expect(body).not.toContain('QUJ');
      expect(body.slice(0, Math.min(place, MAX_BODY_CHARS))).toBe(text.slice(0, Math.min(place, MAX_BODY_CHARS)));
      expect(body.endsWith(` [cut: ${text.length} characters in all]`)).toBe(true);
    }
  });

  it('keeps what comes behind files of any size, as far as there is room', () => {
    for (const chars of [100, MAX_BODY_CHARS, 50 * MAX_BODY_CHARS]) {
      const objects = [chars, 10, chars].map((each) => ({ upload: `data:image/png;base64,${'Q'.repeat(each)}` }));
      const masked = { objects: objects.map(() => ({ upload: '[masked]' })), errors: { documents: ['are_too_many'] } };
      expect(keepAnswerBody(JSON.stringify({ ...masked, objects }))).toBe(JSON.stringify(masked));
    }
  });

  it('is cut after its bound and not before', () => {
    const longest = 'x'.repeat(MAX_BODY_CHARS);
    expect(keepAnswerBody(longest)).toBe(longest);
    expect(keepAnswerBody(`${longest}y`)).toBe(`${longest} [cut: ${MAX_BODY_CHARS + 1} characters in all]`);
  });

  it('that has megabytes is looked at only as far as it is kept', () => {
    const text = '{"upload" : 1, "note": "base64"},'.repeat(1_000_000);
    const tries = Array.from({ length: 3 }, () => {
      const before = process.cpuUsage();
      keepAnswerBody(text);
      return process.cpuUsage(before).user;
    });
    // All of it takes a hundred times as long.
    expect(Math.min(...tries)).toBeLessThan(LEAST_MICROS);
  });

  it('is empty when there is none', () => {
    expect([undefined, null, ''].map(keepAnswerBody)).toEqual(['', '', '']);
  });
});

describe('headers', () => {
  it('keep key and nonce, and lose what would let somebody else call', () => {
    const sent = [
      ...['Authorization-Key', 'key', 'authorization-nonce', 'n', 'AUTHORIZATION-SIGNATURE', 'abc'],
      ...['Cookie', 'c', 'Authorization', 'Bearer t', 'Proxy-Authorization', 'Basic p', 'X-Two', '1', 'x-two', '2'],
    ];
    expect(keepRequestHeaders(sent)).toEqual({
      HTTP_AUTHORIZATION_KEY: 'key',
      HTTP_AUTHORIZATION_NONCE: 'n',
      HTTP_AUTHORIZATION_SIGNATURE: '[masked]',
      HTTP_COOKIE: '[masked]',
      HTTP_AUTHORIZATION: '[masked]',
      HTTP_PROXY_AUTHORIZATION: '[masked]',
      HTTP_X_TWO: '1, 2',
    });
    expect(keepAnswerHeaders({ 'content-length': 5, 'set-cookie': 's' })).toEqual({
      'content-length': '5',
      'set-cookie': '[masked]',
    });
  });
});
