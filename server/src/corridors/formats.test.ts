import { describe, expect, it } from 'vitest';
import { FORMAT_NAMES, FORMATS, type FormatName } from './formats.ts';

const read = (name: FormatName, text: string, countries: readonly string[] = []) => FORMATS[name].read(text, countries);

describe('formats', () => {
  it.each([
    ['email', 'ada@example.com'],
    ['email', "o'neil+tag_1@mail.example.co.uk"],
    ['email', 'ada@xn--bcher-kva.example'],
    ['bic', 'COBADEFF'],
    ['bic', 'COBADEFFXXX'],
    ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
    ['cpf', '01234567890'],
    ['cpf', '012.345.678-90'],
    ['cnpj', '11.222.333/0001-81'],
    ['cnpj', '12ABC34501DE35'],
    ['cpf_or_cnpj', '01234567890'],
    ['cpf_or_cnpj', '11222333000181'],
    ['routing_number', '021000021'],
    ['iban_of_any_country', 'GB29NWBK60161331926819'],
  ] as const)('%s takes %s as it is', (name, text) => {
    expect(read(name, text)).toBe(text);
  });

  it.each([
    ['email', 'ada'],
    ['email', 'ada@'],
    ['email', '@example.com'],
    ['email', 'ada@example'],
    ['email', 'ada@example..com'],
    ['email', 'ada@-example.com'],
    ['email', 'ada @example.com'],
    ['email', 'ada@example.com\n'],
    ['email', `${'a'.repeat(65)}@example.com`],
    ['email', `ada@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}.com`],
    ['bic', 'COBADEFFXX'],
    ['uuid', '123e4567e89b42d3a456426614174000'],
    ['cpf', '01234567891'],
    ['cpf', '11111111111'],
    ['cpf', '11222333000181'],
    ['cnpj', '11222333000182'],
    ['cnpj', '12ABC34501DE36'],
    ['cpf_or_cnpj', '1234'],
    ['routing_number', '021000022'],
    ['iban_of_any_country', 'GB29NWBK60161331926818'],
    ['iban_of_any_country', 'GB29NWBK6016133192681'],
    ['iban_of_any_country', 'ZZ29NWBK60161331926819'],
    ['iban_of_any_country', ''],
    ['card_number', '4111 1111 1111 1112'],
    ['card_number', '4111-1111-1111-1111'],
  ] as const)('%s refuses %s', (name, text) => {
    expect(read(name, text)).toBeUndefined();
  });

  it('of cards and accounts drop spaces', () => {
    expect(read('card_number', '4111 1111 1111 1111')).toBe('4111111111111111');
    expect(read('iban_of_any_country', 'gb29 nwbk 6016 1331 9268 19')).toBe('GB29NWBK60161331926819');
  });

  it('of an IBAN may be tied to countries', () => {
    expect(read('iban', 'CR05015202001026284066', ['CR'])).toBe('CR05015202001026284066');
    expect(read('iban', 'CR05015202001026284066', ['EG', 'DE'])).toBeUndefined();
  });

  it('have a pattern that whatever they keep matches', () => {
    const kept: Record<FormatName, string> = {
      email: 'ada@example.com',
      phone: '+256772123400',
      phone_of_any_country: '+221774044436',
      iban: 'CR05015202001026284066',
      iban_of_any_country: 'DE89370400440532013000',
      bic: 'COBADEFF',
      uuid: '123e4567-e89b-42d3-a456-426614174000',
      cpf: '012.345.678-90',
      cnpj: '12ABC34501DE35',
      cpf_or_cnpj: '11222333000181',
      routing_number: '021000021',
      card_number: '4111111111111111',
      bitcoin_address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
      bitcoin_address_of_any_network: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    };
    for (const name of FORMAT_NAMES) {
      expect(read(name, kept[name], ['UG', 'CR'])).toBe(kept[name]);
      expect(kept[name]).toMatch(new RegExp(FORMATS[name].pattern));
    }
  });
});
