import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CURRENCIES } from '../money/currencies.ts';
import { fileRateSource, MAX_RATE_FILE_BYTES, parseRateFile } from './file-source.ts';
import { rate } from './rate.ts';
import { mid, RateDataInvalid } from './sheet.ts';

const SAMPLE = fileURLToPath(new URL('../../rates/sample.json', import.meta.url));
const AS_OF = '2026-11-15T08:00:00Z';
const good = { base: 'USD', as_of: AS_OF, rates: { NGN: '1525.40', EUR: '0.92' } };

function mistakesOf(file: unknown): readonly string[] {
  try {
    parseRateFile('rates.json', typeof file === 'string' ? file : JSON.stringify(file));
  } catch (fault) {
    if (fault instanceof RateDataInvalid) return fault.mistakes;
    throw fault;
  }
  return [];
}

describe('a rate file', () => {
  it('gives mid rates with the time they were written for', () => {
    const sheet = parseRateFile('rates.json', JSON.stringify({ $comment: 'ours', ...good }));
    expect(sheet).toMatchObject({ base: 'USD', sample: false, asOf: new Date(AS_OF) });
    expect(sheet.rates.get('NGN')).toEqual({ rate: rate(7_627n, 5n), asOf: new Date(AS_OF) });
    expect(sheet.rates.size).toBe(2);
  });

  it('has all its mistakes told at once, each with its key or currency', () => {
    const file = { sample: 'yes', base: 'ABC', asof: AS_OF, rates: { NGN: '0', XYZ: '1', EUR: 0.92, KES: '129.5' } };
    expect(mistakesOf(file)).toEqual([
      'asof is not a key of a rate file',
      'sample is neither true nor false',
      'base is not a currency of the service',
      'as_of is not a time such as 2026-11-15T08:00:00Z',
      'NGN: "0" is not a decimal number above zero of up to 30 digits',
      'XYZ is not a currency of the service',
      'EUR: the rate is not a string; write it in quotes',
    ]);
  });

  it.each(['2026-11-15', '2026-02-31T00:00:00Z', '2026-13-01T00:00:00Z', '2026-11-15T08:00:00+01:00', 1, null])(
    'may not carry the time %o',
    (asOf) => {
      expect(mistakesOf({ ...good, as_of: asOf })).toEqual(['as_of is not a time such as 2026-11-15T08:00:00Z']);
    },
  );

  it.each(['', '{', '[]', 'null', '"text"'])('is not the text %o', (text) => {
    expect(mistakesOf(text)).toEqual(['the file is not a JSON object']);
  });

  it.each([undefined, null, [], 'text'])('may not carry the rates %o', (rates) => {
    expect(mistakesOf({ ...good, rates })).toEqual(['rates is not an object']);
  });
});

describe('the sample file', () => {
  it('is marked as a sample', async () => {
    expect((await fileRateSource(SAMPLE).read()).sample).toBe(true);
  });

  it('has a rate for every currency of the table, in both directions', async () => {
    const sheet = await fileRateSource(SAMPLE).read();
    for (const { code } of CURRENCIES) {
      expect(mid(sheet, 'USD', code), code).toBeDefined();
      expect(mid(sheet, code, 'USD'), code).toBeDefined();
    }
  });
});

describe('the file as a rate source', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'payferry-rates-'));
  });
  afterAll(async () => {
    await rm(directory, { recursive: true });
  });

  it('is read anew each time', async () => {
    const path = join(directory, 'rates.json');
    const source = fileRateSource(path);
    await writeFile(path, JSON.stringify(good));
    expect(mid(await source.read(), 'USD', 'NGN')).toEqual(rate(7_627n, 5n));
    await writeFile(path, JSON.stringify({ ...good, rates: { NGN: '1600' } }));
    expect(mid(await source.read(), 'USD', 'NGN')).toEqual(rate(1_600n, 1n));
  });

  it('may begin with the mark of its encoding, as some editors write it', async () => {
    const path = join(directory, 'marked.json');
    await writeFile(path, `\uFEFF${JSON.stringify(good)}`);
    expect((await fileRateSource(path).read()).base).toBe('USD');
  });

  it('throws when there is no such file', async () => {
    await expect(fileRateSource(join(directory, 'none.json')).read()).rejects.toThrow('ENOENT');
  });

  it('takes a file of the largest size and refuses one byte more', async () => {
    const path = join(directory, 'large.json');
    const text = JSON.stringify(good);
    await writeFile(path, text.padEnd(MAX_RATE_FILE_BYTES));
    expect((await fileRateSource(path).read()).base).toBe('USD');
    await writeFile(path, text.padEnd(MAX_RATE_FILE_BYTES + 1));
    await expect(fileRateSource(path).read()).rejects.toThrow(`longer than ${MAX_RATE_FILE_BYTES} bytes`);
  });
});
